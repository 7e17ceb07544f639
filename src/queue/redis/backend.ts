// The Redis backend: one fast connection for adding and reading, and a patient one for each worker.
import { Queue, Worker } from 'bullmq'
import { ID_MS, type QueueBackend } from '../bullmq/backend.ts'
import { asError, QueueMisconfigured, QueueUnavailable } from '../errors.ts'
import type { RedisConnection, StoreSpace } from '../types.ts'
import { type ConnectionOptions, connectFast, connectPatient } from './connection.ts'
import { refuseUnusable } from './first-answer.ts'
import { infoOfMasters, PREFIX } from './masters.ts'
import { redisMeasures } from './measures.ts'
import { replicaConfirmation } from './replica.ts'
import { claimShards, connectionName, shardPrefixes } from './shard-count.ts'
import type { RedisTarget } from './target.ts'

/** How long a worker waits after an error of Redis; BullMQ waits 15 s. */
const RETRY_MS = 1_000

export interface RedisSettings extends ConnectionOptions {
  /** How long a replica may take to confirm; 0: it is not asked. */
  replicaWaitMs: number
  /** Notified when a replica of every master that was asked is online, or no longer. */
  onReplicas: (online: boolean) => void
  /** Undefined: none is claimed, for a look at Redis itself. */
  shards: number | undefined
}

/**
 * A backend for each shard; they share the fast connection, and closing one closes it. Throws QueueUnavailable or
 * QueueMisconfigured.
 */
export async function openRedis(given: RedisSettings): Promise<[QueueBackend, ...QueueBackend[]]> {
  const { target, shards = 1 } = given
  const fast = connectFast({ ...given, name: connectionName(shards) })
  try {
    await refuseUnusable(fast, target)
    if (given.shards !== undefined) await claim(fast, given.shards, target.shown)
  } catch (thrown) {
    fast.disconnect()
    throw thrown
  }
  const replicas = replicaConfirmations(given)
  const close = async () => {
    fast.disconnect()
    replicas.disconnect()
  }
  const [first, ...others] = shardPrefixes(shards).map((prefix) => ({
    ...shardBackend(given, fast, prefix),
    replicated: async () => void (await Promise.all(confirming(target, prefix).map(replicas.confirm))),
    ping: async () => void (await fast.ping()),
    space: async () => spaceOf(await infoOfMasters(fast, 'memory')),
    close,
  }))
  return [first as QueueBackend, ...others]
}

/** What is in one shard follows from the journal, which another node of a cluster may have. */
function confirming({ kind }: RedisTarget, prefix: string): string[] {
  return kind === 'cluster' ? [...new Set([prefix, PREFIX])] : [PREFIX]
}

async function claim(redis: RedisConnection, shards: number, shown: string): Promise<void> {
  try {
    await claimShards(redis, shards, shown)
  } catch (thrown) {
    if (thrown instanceof QueueMisconfigured) throw thrown
    const cause = asError(thrown)
    throw new QueueUnavailable(`The Redis at ${shown} cannot be used: ${cause.message}`, { cause })
  }
}

function shardBackend(
  given: ConnectionOptions,
  fast: RedisConnection,
  prefix: string,
): Omit<QueueBackend, 'ping' | 'space' | 'close'> {
  return {
    kind: 'redis',
    connection: { kind: 'redis', redis: fast, prefix: PREFIX },
    queue(name, options) {
      const queue = new Queue(name, { ...options, connection: fast, prefix, skipWaitingForReady: true })
      queue.on('error', () => undefined) // The connection's own listener logs it.
      return queue
    },
    worker(name, processor, options) {
      const connection = connectPatient(given)
      const worker = new Worker(name, processor, { ...options, connection, prefix, runRetryDelay: RETRY_MS })
      return {
        worker,
        async close() {
          connection.disconnect()
          // Ends BullMQ's own blocking connection too, also while a handler hangs.
          await worker.disconnect().catch(() => undefined)
        },
      }
    },
    takePendingAdd: async (name, key) => (await fast.del(`${prefix}:${name}:dn:${key}`)) > 0,
    keepsDoneJobs: false,
    nameOf: async (name, id) => (await fast.hget(`${prefix}:${name}:${id}`, 'name')) ?? undefined,
    async addedAt(name, id) {
      const timestamp = await fast.hget(`${prefix}:${name}:${id}`, 'timestamp')
      if (timestamp !== null) return Number(timestamp)
      const left = await fast.pttl(`${prefix}:${name}:de:${id}`)
      return left < 0 ? undefined : Date.now() - (ID_MS - left)
    },
    ...redisMeasures(fast, prefix),
  }
}

/** Over a connection of their own, made by the first. */
function replicaConfirmations(given: RedisSettings) {
  const { replicaWaitMs: waitMs } = given
  const now = () => performance.now()
  const online = new Map<string, boolean>()
  let shown: boolean | undefined
  function note(prefix: string, isOnline: boolean): void {
    online.set(prefix, isOnline)
    const all = ![...online.values()].includes(false)
    // At the start nothing has changed.
    if (shown !== undefined && shown !== all) given.onReplicas(all)
    shown = all
  }
  let redis: RedisConnection | undefined
  const byPrefix = new Map<string, () => Promise<void>>()
  return {
    async confirm(prefix: string) {
      if (waitMs === 0) return
      redis ??= connectFast(given)
      const onAsked = (isOnline: boolean) => note(prefix, isOnline)
      const known = byPrefix.get(prefix)
      const confirmed = known ?? replicaConfirmation({ redis, key: `${prefix}:replicated`, waitMs, now, onAsked })
      byPrefix.set(prefix, confirmed)
      await confirmed()
    },
    disconnect: () => redis?.disconnect(),
  }
}

/** Of the fullest node. */
function spaceOf(infos: string[]): StoreSpace {
  const nodes = infos.map((info) => {
    const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
    // Without a limit of its own, Redis is killed when the memory of its machine runs out.
    return { used: bytes('used_memory'), limit: bytes('maxmemory') || bytes('total_system_memory') }
  })
  const [fullest] = nodes.filter(({ limit }) => limit > 0).sort((a, b) => b.used / b.limit - a.used / a.limit)
  return fullest === undefined ? {} : { memory: fullest }
}
