// The Redis backend: one fast connection for adding and reading, and a patient one for each worker.
import { Queue, Worker } from 'bullmq'
import type { QueueBackend } from '../bullmq/backend.ts'
import { redisStorage } from '../bullmq/storage.ts'
import type { JournalMark, RedisConnection, StoreSpace } from '../types.ts'
import { type ConnectionOptions, connectFast, connectPatient, PREFIX } from './connection.ts'
import { refuseUnusable } from './first-answer.ts'
import { replicaConfirmation } from './replica.ts'

/** How long a worker waits after an error of Redis; BullMQ waits 15 s. */
const RETRY_MS = 1_000

export interface RedisSettings extends ConnectionOptions {
  /** Notified when a replica comes online, and when none is any more. */
  onReplicas: (online: boolean) => void
}

/** Throws QueueUnavailable or QueueMisconfigured. */
export async function openRedis(given: RedisSettings): Promise<QueueBackend> {
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
