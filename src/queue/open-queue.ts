// Opens the queue that a URL names.

import { KEPT_JOBS, type QueueBackend } from './bullmq/backend.ts'
import { bullmqQueues } from './bullmq/queue.ts'
import { shardedQueues } from './bullmq/sharded-queues.ts'
import { asError, QueueMisconfigured } from './errors.ts'
import { isRedisUrl, type RedisTarget, readRedisUrl } from './redis/target.ts'
import type { Queues } from './types.ts'

export interface QueueSettings {
  /** `embedded:DIR`, a Redis (see redis/target.ts) or `postgres://…`. */
  url: string
  /** Receives lost connections, which recover by themselves. */
  log?: (message: string, error: Error) => void
  /** Receives a sentence before something slow, such as the first start in a directory. */
  onProgress?: (sentence: string) => void
  /** Other workers take over the jobs of a process that did not respond for so many milliseconds; 30 s when absent. */
  lockMs?: number
  /**
   * How many milliseconds a replica of Redis may take to confirm a job that is added with `onReplica`; 0: it is not
   * asked. 500 when absent.
   */
  replicaWaitMs?: number
  /** Notified when a replica of Redis comes online, and when none is any more; while jobs are added with `onReplica`. */
  onReplicas?: (online: boolean) => void
  /** Into how many shards the queues of a Redis are divided; 1 when absent. */
  shards?: number
  /** Only to look at what is there: nothing is recorded, and no queue may be used. */
  isExamined?: true
  /** Whether jobs are spans of traces; an SDK of OpenTelemetry is registered. Not when absent. */
  isTraced?: boolean
}

/** Throws QueueUnavailable, QueueDirectoryInUse or QueueMisconfigured, each saying what to do. */
export async function openQueues(settings: QueueSettings): Promise<Queues> {
  const [first, ...others] = await openBackends(settings)
  const { lockMs, isTraced } = settings
  if (others.length === 0) return bullmqQueues(first, { lockMs, isTraced })
  const share = (all: number) => Math.ceil(all / (1 + others.length))
  const keptJobs = { completed: share(KEPT_JOBS.completed), failed: share(KEPT_JOBS.failed) }
  const open = (backend: QueueBackend) => bullmqQueues(backend, { lockMs, isTraced, keptJobs })
  return shardedQueues([open(first), ...others.map(open)])
}

/** Loads only the packages of that backend. */
async function openBackends(settings: QueueSettings): Promise<[QueueBackend, ...QueueBackend[]]> {
  const { url, shards = 1, log = () => undefined, onProgress = () => undefined } = settings
  if (shards > 1 && !isRedisUrl(url))
    throw new QueueMisconfigured(
      `Only the queue of a Redis has several shards: leave BELLHOP_SHARDS out, or name a Redis.`,
    )
  const scheme = /^[a-z+]+(?=:)/.exec(url)?.[0]
  switch (scheme) {
    case 'embedded': {
      const directory = url.slice('embedded:'.length)
      if (directory === '')
        throw new QueueMisconfigured('The queue URL "embedded:" names no directory: write embedded:DIR.')
      const { openEmbedded } = await import('./postgres/embedded-backend.ts')
      return [await openEmbedded({ directory, log, onProgress })]
    }
    case 'redis':
    case 'rediss':
    case 'redis+sentinel':
    case 'rediss+sentinel':
    case 'redis+cluster':
    case 'rediss+cluster': {
      const { openRedis } = await import('./redis/backend.ts')
      return openRedis({
        target: redisTarget(url),
        log,
        replicaWaitMs: settings.replicaWaitMs ?? 500,
        onReplicas: settings.onReplicas ?? (() => undefined),
        shards: settings.isExamined ? undefined : shards,
      })
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgres } = await import('./postgres/backend.ts')
      return [await openPostgres({ url, log })]
    }
    default:
      // The URL is not shown: it may be a password in the wrong place.
      throw new QueueMisconfigured(
        'The queue URL must begin with embedded:DIR, redis://, rediss://, redis+sentinel://, redis+cluster:// or postgres://.',
      )
  }
}

function redisTarget(url: string): RedisTarget {
  try {
    return readRedisUrl(url)
  } catch (thrown) {
    throw new QueueMisconfigured(`The queue URL is wrong: expected ${asError(thrown).message}.`)
  }
}
