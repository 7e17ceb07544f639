// Jobs in Redis: one connection that fails fast for whoever adds, one that waits for each worker.
import { Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { AnswersInTime } from './answers-in-time.ts'
import { NAME_OF_APART, redisReadApart } from './body-apart.ts'
import { AGED_AT_MOST, type BullStore, JOB_OPTIONS, MEASURED_AT_MOST } from './bullmq-store.ts'
import { asError, QueueMisconfigured, QueueUnavailable, withoutCredentials } from './errors.ts'
import { JoinedWrites } from './joined-writes.ts'
import { redisAdd } from './redis-add.ts'
import { redisReplaceData } from './redis-replace-data.ts'
import { redisScript } from './redis-script.ts'

/** One hash tag for all keys, so that they live in one slot of a cluster. */
const PREFIX = '{bellhop}'
/** BullMQ orders delayed jobs by their time in milliseconds times this. */
const DELAYED_SCALE = 0x1000

interface Given {
  url: string
  log(message: string, error: Error): void
}

/** Whoever sends a delivery waits for the answer: better an error within a second than a late yes. */
const FAST = { maxRetriesPerRequest: 1, connectTimeout: 900, withinMs: 900, retryStrategy: () => 200 }
/** A worker has time: it goes on by itself when Redis is back. */
const PATIENT = { maxRetriesPerRequest: null, retryStrategy: (times: number) => Math.min(times * 100, 1_000) }

/** A name of so many bytes is a body, beside which the data is nothing: asking for both would take Redis twice as long. */
const LONG_NAME = 4_096

/** While a script runs Redis does nothing else, and who sends a delivery waits: many are measured by many short scripts. */
const MEASURED_AT_ONCE = 500

// One that was removed while it waited has no data any more, and no size.
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
        local name = redis.call('HSTRLEN', ARGV[1] .. id, 'name')
        bytes = bytes + name
        if name == ${NAME_OF_APART.length} then
          local apart = string.match(redis.call('HGET', ARGV[1] .. id, 'data') or '', '^{"v":%d+,"bodyApart":(%d+),')
          bytes = bytes + (tonumber(apart) or 0)
        end
        if name < ${LONG_NAME} then bytes = bytes + redis.call('HSTRLEN', ARGV[1] .. id, 'data') end
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
  local told = {}
  for state, added in pairs(found) do table.insert(told, state) table.insert(told, string.format('%.0f', added)) end
  return told`

const BUSY = `
  local jobs = redis.call('ZCARD', KEYS[1]) + redis.call('ZCOUNT', KEYS[2], '-inf', '(' .. ARGV[1])
  for at = 3, #KEYS do jobs = jobs + redis.call('LLEN', KEYS[at]) end
  return jobs`

/** Opens a Redis as the store; throws QueueUnavailable or QueueMisconfigured. */
export async function openRedis(given: Given): Promise<BullStore> {
  const shown = withoutCredentials(given.url)

  function connected(redis: Redis): Redis {
    redis.on('error', (error) => given.log(`The connection to ${shown} is lost: ${error.message}`, error))
    return redis
  }

  const fast = connected(new AnswersInTime(given.url, FAST))
  try {
    await refuseEviction(fast, shown)
  } catch (thrown) {
    fast.disconnect()
    if (thrown instanceof QueueMisconfigured) throw thrown
    const cause = asError(thrown)
    throw new QueueUnavailable(`The Redis at ${shown} cannot be used: ${cause.message}`, { cause })
  }

  const add = redisAdd(fast, JOB_OPTIONS)
  const backlog = redisScript(fast, BACKLOG)
  return {
    kind: 'redis',
    jobOptions: JOB_OPTIONS,
    connection: { kind: 'redis', redis: fast, prefix: PREFIX },
    queue(name) {
      const queue = new Queue(name, { connection: fast, prefix: PREFIX, skipWaitingForReady: true })
      queue.on('error', () => undefined) // The connection's own listener tells of it.
      return queue
    },
    worker(name, processor, options) {
      const connection = connected(new JoinedWrites(given.url, PATIENT))
      const worker = new Worker(name, processor, { ...options, connection, prefix: PREFIX })
      return {
        worker,
        replaceData: redisReplaceData(connection),
        readApart: redisReadApart(connection),
        async close() {
          connection.disconnect()
          // Also ends the blocking connection, which BullMQ made for itself and keeps while a handler hangs.
          await worker.disconnect().catch(() => undefined)
        },
      }
    },
    takePendingAdd: async (lane, key) => (await fast.del(`${PREFIX}:${lane}:dn:${key}`)) > 0,
    async busy(lane, before) {
      const keys = ['prioritized', 'delayed', 'wait', 'paused', 'active'].map((line) => `${PREFIX}:${lane}:${line}`)
      return Number(await fast.eval(BUSY, keys.length, ...keys, before * DELAYED_SCALE))
    },
    replaceData: redisReplaceData(fast),
    readApart: redisReadApart(fast),
    addPrioritized: (lane) => add(`${PREFIX}:${lane}:`),
    nameOf: async (lane, id) => (await fast.hget(`${PREFIX}:${lane}:${id}`, 'name')) ?? undefined,
    async backlog(lane) {
      const keys = ['wait', 'paused', 'prioritized', 'delayed'].map((line) => `${PREFIX}:${lane}:${line}`)
      const sum = { measured: 0, bytes: 0 }
      for (;;) {
        const found = (await backlog(keys, [`${PREFIX}:${lane}:`, sum.measured, MEASURED_AT_ONCE])) as number[]
        const [jobs = 0, measured = 0, bytes = 0] = found.map(Number)
        sum.measured += measured
        sum.bytes += bytes
        if (measured < MEASURED_AT_ONCE || sum.measured >= MEASURED_AT_MOST)
          return { jobs, bytes: Math.round(sum.bytes * (jobs / Math.max(sum.measured, 1))) }
      }
    },
    async oldest(lane) {
      const keys = ['wait', 'paused', 'prioritized', 'active', 'delayed', 'failed'].map((line) => `${PREFIX}:${lane}:${line}`)
      const told = (await fast.eval(OLDEST, keys.length, ...keys, `${PREFIX}:${lane}:`, AGED_AT_MOST)) as string[]
      return Object.fromEntries(told.flatMap((state, at) => (at % 2 === 0 ? [[state, Number(told[at + 1])]] : [])))
    },
    ping: async () => void (await fast.ping()),
    async space() {
      const text = await fast.info('memory')
      const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0)
      // Without a limit of its own it is killed when the memory of its machine ends: 503 must come before that.
      const limit = bytes('maxmemory') || bytes('total_system_memory')
      return limit === 0 ? {} : { memory: { used: bytes('used_memory'), limit } }
    },
    close: async () => fast.disconnect(),
  }
}

/** INFO is asked, not CONFIG, which hosted Redis services forbid. */
async function refuseEviction(redis: Redis, shown: string): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1]
  if (policy === undefined || policy === 'noeviction') return
  throw new QueueMisconfigured(
    `The Redis at ${shown} has the maxmemory-policy "${policy}": it may drop jobs when its memory is full. Set "maxmemory-policy noeviction" (redis-cli CONFIG SET maxmemory-policy noeviction, and in redis.conf), or give Bellhop a Redis of its own.`,
  )
}
