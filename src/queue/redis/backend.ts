// The Redis backend: one fast connection for adding and reading, and a patient one for each worker.
import { Queue, Worker } from 'bullmq'
import { AGED_AT_MOST, MEASURED_AT_MOST, type QueueBackend } from '../bullmq/backend.ts'
import type { RedisConnection, StoreSpace } from '../types.ts'
import { type ConnectionOptions, connectFast, connectPatient } from './connection.ts'
import { refuseUnusable } from './first-answer.ts'
import { infoOfMasters, PREFIX } from './masters.ts'
import { replicaConfirmation } from './replica.ts'

/** BullMQ's score of a delayed job is its time in milliseconds times this. */
const DELAYED_SCALE = 0x1000

/** How long a worker waits after an error of Redis; BullMQ waits 15 s. */
const RETRY_MS = 1_000

/** Redis does nothing else while a script runs, so a long backlog is measured by many short scripts. */
const MEASURED_AT_ONCE = 500

// A job that was removed meanwhile has size 0.
const BACKLOG = `
  local jobs, measured, bytes, from, most = 0, 0, 0, tonumber(ARGV[2]), tonumber(ARGV[3])
  for at, key in ipairs(KEYS) do
    local isList = at < 3
    local length = redis.call(isList and 'LLEN' or 'ZCARD', key)
    jobs = jobs + length
    if from >= length then from = from - length
    elseif measured < most then
      local ids = redis.call(isList and 'LRANGE' or 'ZRANGE', key, from, from + most - measured - 1)
      from = 0
      for _, id in ipairs(ids) do
        measured = measured + 1
        bytes = bytes + redis.call('HSTRLEN', ARGV[1] .. id, 'data')
      end
    end
  end
  return { jobs, measured, bytes }`

const OLDEST = `
  local states = { 'waiting', 'waiting', 'waiting', 'active', 'delayed', 'failed' }
  local found = {}
  for at, key in ipairs(KEYS) do
    local ids
    if redis.call('TYPE', key).ok ~= 'list' then ids = redis.call('ZRANGE', key, 0, ARGV[2] - 1)
    else ids = redis.call('LRANGE', key, -ARGV[2], -1) end
    for _, id in ipairs(ids) do
      local added = tonumber(redis.call('HGET', ARGV[1] .. id, 'timestamp'))
      local state = states[at]
      if added and (not found[state] or added < found[state]) then found[state] = added end
    end
  end
  local reply = {}
  for state, added in pairs(found) do table.insert(reply, state) table.insert(reply, string.format('%.0f', added)) end
  return reply`

const BUSY = `
  local jobs = redis.call('ZCARD', KEYS[1]) + redis.call('ZCOUNT', KEYS[2], '-inf', '(' .. ARGV[1])
  for at = 3, #KEYS do jobs = jobs + redis.call('LLEN', KEYS[at]) end
  return jobs`

/** Throws QueueUnavailable or QueueMisconfigured. */
export async function openRedis(given: ConnectionOptions & { replicaWaitMs: number }): Promise<QueueBackend> {
  const fast = connectFast(given)
  try {
    await refuseUnusable(fast, given.target)
  } catch (thrown) {
    fast.disconnect()
    throw thrown
  }

  const replicas = replicaConfirmations(given)
  return {
    kind: 'redis',
    connection: { kind: 'redis', redis: fast, prefix: PREFIX },
    queue(name) {
      const queue = new Queue(name, { connection: fast, prefix: PREFIX, skipWaitingForReady: true })
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
    takePendingAdd: async (name, key) => (await fast.del(`${PREFIX}:${name}:dn:${key}`)) > 0,
    async busy(name, before) {
      const keys = ['prioritized', 'delayed', 'wait', 'paused', 'active'].map((line) => `${PREFIX}:${name}:${line}`)
      return Number(await fast.eval(BUSY, keys.length, ...keys, before * DELAYED_SCALE))
    },
    replicated: () => replicas.confirm(),
    nameOf: async (name, id) => (await fast.hget(`${PREFIX}:${name}:${id}`, 'name')) ?? undefined,
    async backlog(name) {
      const keys = ['wait', 'paused', 'prioritized', 'delayed'].map((line) => `${PREFIX}:${name}:${line}`)
      const sum = { measured: 0, bytes: 0 }
      for (;;) {
        const values = [`${PREFIX}:${name}:`, sum.measured, MEASURED_AT_ONCE]
        const found = (await fast.eval(BACKLOG, keys.length, ...keys, ...values)) as number[]
        const [jobs = 0, measured = 0, bytes = 0] = found.map(Number)
        sum.measured += measured
        sum.bytes += bytes
        if (measured < MEASURED_AT_ONCE || sum.measured >= MEASURED_AT_MOST)
          return { jobs, bytes: Math.round(sum.bytes * (jobs / Math.max(sum.measured, 1))) }
      }
    },
    async oldest(name) {
      const keys = ['wait', 'paused', 'prioritized', 'active', 'delayed', 'failed'].map(
        (line) => `${PREFIX}:${name}:${line}`,
      )
      const reply = (await fast.eval(OLDEST, keys.length, ...keys, `${PREFIX}:${name}:`, AGED_AT_MOST)) as string[]
      return Object.fromEntries(reply.flatMap((state, at) => (at % 2 === 0 ? [[state, Number(reply[at + 1])]] : [])))
    },
    ping: async () => void (await fast.ping()),
    space: async () => spaceOf(await infoOfMasters(fast, 'memory')),
    async close() {
      fast.disconnect()
      replicas.disconnect()
    },
  }
}

/** Over a connection of their own, made by the first. */
function replicaConfirmations(given: ConnectionOptions & { replicaWaitMs: number }) {
  let redis: RedisConnection | undefined
  let confirmed: (() => Promise<void>) | undefined
  return {
    async confirm() {
      if (given.replicaWaitMs === 0) return
      redis ??= connectFast(given)
      const options = { redis, key: `${PREFIX}:replicated`, waitMs: given.replicaWaitMs }
      confirmed ??= replicaConfirmation({ ...options, now: () => performance.now() })
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
