// The Redis backend: one fast connection for adding and reading, and a patient one for each worker.
import { Queue, Worker } from 'bullmq'
import type { QueueBackend } from '../bullmq/backend.ts'
import { redisStorage } from '../bullmq/storage.ts'
import { asError, QueueMisconfigured, QueueUnavailable } from '../errors.ts'
import type { JournalMark, RedisConnection, StoreSpace } from '../types.ts'
import { type ConnectionOptions, connectFast, connectPatient, firstProblem, PREFIX } from './connection.ts'
import { type ReplicaOptions, replicaConfirmation } from './replica.ts'
import type { RedisTarget } from './target.ts'

/** How long a worker waits after an error of Redis; BullMQ waits 15 s. */
const RETRY_MS = 1_000

/** Throws QueueUnavailable or QueueMisconfigured. */
export async function openRedis(given: ConnectionOptions & Pick<ReplicaOptions, 'onReplicas'>): Promise<QueueBackend> {
  const fast = connectFast(given)
  try {
    await refuseUnusable(fast, given.target)
  } catch (thrown) {
    fast.disconnect()
    throw thrown
  }
  const waiting = connectFast(given, { lazyConnect: true })
  return {
    kind: 'redis',
    connection: { kind: 'redis', redis: fast, journalMark: journalMark(fast) },
    queue(name, options) {
      const queue = new Queue(name, { ...options, connection: fast, prefix: PREFIX, skipWaitingForReady: true })
      queue.on('error', () => undefined) // The connection's own listener logs it.
      return queue
    },
    worker(name, processor, options) {
      const connection = connectPatient(given)
      const worker = new Worker(name, processor, { ...options, connection, prefix: PREFIX, runRetryDelay: RETRY_MS })
      return {
        worker,
        async close() {
          connection.disconnect()
          // Ends BullMQ's own blocking connection too, also while a handler hangs.
          await worker.disconnect().catch(() => undefined)
        },
      }
    },
    storage: redisStorage(fast),
    replicated: replicaConfirmation({ redis: waiting, now: () => performance.now(), onReplicas: given.onReplicas }),
    ping: async () => void (await fast.ping()),
    space: async () => spaceOf(await fast.info('memory')),
    async close() {
      fast.disconnect()
      waiting.disconnect()
    },
  }
}

function journalMark(redis: RedisConnection): JournalMark {
  const key = `${PREFIX}:journal:id`
  return {
    key,
    read: async () => (await redis.get(key)) ?? undefined,
    writeOnce: async (text) => void (await redis.set(key, text, 'NX')),
  }
}

function spaceOf(info: string): StoreSpace {
  const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
  // Without a limit of its own, Redis is killed when the memory of its machine runs out.
  const limit = bytes('maxmemory') || bytes('total_system_memory')
  return limit > 0 ? { memory: { used: bytes('used_memory'), limit } } : {}
}

/** Throws QueueUnavailable if Redis does not answer, QueueMisconfigured if it may lose jobs or is of another kind. */
async function refuseUnusable(redis: RedisConnection, target: RedisTarget): Promise<void> {
  // A command that nobody answers only says that it timed out: why is in the errors of the connection.
  let why: Error | undefined
  const remember = (error: Error) => {
    if (error.message !== '') why = error
  }
  const events = ['error', 'sentinelError']
  for (const event of events) redis.on(event, remember)
  try {
    const info = await redis.info()
    refuseEviction(info, target)
    refuseOtherKind(info, target)
  } catch (thrown) {
    if (thrown instanceof QueueMisconfigured) throw thrown
    const known = why ?? asError(thrown)
    const isHidden = /Connection is closed|timed out/.test(known.message)
    const cause = (isHidden && target.kind === 'sentinel' ? await firstProblem(target) : undefined) ?? known
    throw new QueueUnavailable(`The Redis at ${target.shown} cannot be used: ${reasonOf(cause, target)}`, { cause })
  } finally {
    for (const event of events) redis.off(event, remember)
  }
}

function reasonOf({ message }: Error, target: RedisTarget): string {
  if (target.kind === 'sentinel' && /invalid reply: null$|No such master/.test(message))
    return `its Sentinels know no master of the name "${target.name}".`
  return message
}

/** Asks INFO, as hosted Redis services forbid CONFIG. */
function refuseEviction(info: string, { shown }: RedisTarget): void {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy === undefined || policy === 'noeviction') return
  throw new QueueMisconfigured(
    `The Redis at ${shown} has the maxmemory-policy "${policy}": it may drop jobs when its memory is full. ` +
      'Set "maxmemory-policy noeviction" (redis-cli CONFIG SET maxmemory-policy noeviction, and in redis.conf), ' +
      'or give Bellhop a Redis of its own.',
  )
}

function refuseOtherKind(info: string, { shown }: RedisTarget): void {
  if (/^redis_mode:sentinel/m.test(info))
    throw new QueueMisconfigured(
      `The server at ${shown} is a Sentinel: write redis+sentinel://host:26379,host:26379/MASTER_NAME.`,
    )
  if (/^cluster_enabled:1/m.test(info))
    throw new QueueMisconfigured(
      `The Redis at ${shown} is a node of a Redis Cluster: give Bellhop one server, or a master that Sentinels watch.`,
    )
}
