// Opens the queue that a URL names.

import type { QueueBackend } from './bullmq/backend.ts'
import { bullmqQueues } from './bullmq/queue.ts'
import { asError, QueueMisconfigured } from './errors.ts'
import { type RedisTarget, readRedisUrl } from './redis/target.ts'
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
  /** Called when a replica of Redis comes online, and when none is any more; while jobs are added with `onReplica`. */
  onReplicas?: (online: boolean) => void
  /** Whether jobs are spans of traces; an SDK of OpenTelemetry is registered. Not when absent. */
  isTraced?: boolean
}

/** Throws QueueUnavailable, QueueDirectoryInUse or QueueMisconfigured, each saying what to do. */
export async function openQueues(settings: QueueSettings): Promise<Queues> {
  const { lockMs, isTraced } = settings
  return bullmqQueues(await openBackend(settings), { lockMs, isTraced })
}

/** Loads only the packages of that backend. */
async function openBackend(settings: QueueSettings): Promise<QueueBackend> {
  const { url, log = () => undefined, onProgress = () => undefined } = settings
  const scheme = /^[a-z+]+(?=:)/.exec(url)?.[0]
  switch (scheme) {
    case 'embedded': {
      const directory = url.slice('embedded:'.length)
      if (directory === '')
        throw new QueueMisconfigured('The queue URL "embedded:" names no directory: write embedded:DIR.')
      const { openEmbedded } = await import('./postgres/embedded-backend.ts')
      return openEmbedded({ directory, log, onProgress })
    }
    case 'redis':
    case 'rediss':
    case 'redis+sentinel':
    case 'rediss+sentinel': {
      const { openRedis } = await import('./redis/backend.ts')
      return openRedis({ target: redisTarget(url), log, onReplicas: settings.onReplicas })
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgres } = await import('./postgres/backend.ts')
      return openPostgres({ url, log })
    }
    default:
      // The URL is not shown: it may be a password in the wrong place.
      throw new QueueMisconfigured(
        'The queue URL must begin with embedded:DIR, redis://, rediss://, redis+sentinel:// or postgres://.',
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
