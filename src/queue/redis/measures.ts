// Counts and measures the jobs of a queue in Redis by scripts, where BullMQ would ask several times or read their data.
import { AGED_AT_MOST, MEASURED_AT_MOST, type QueueBackend } from '../bullmq/backend.ts'
import type { RedisConnection } from '../types.ts'
import { PREFIX } from './connection.ts'

/** BullMQ's score of a delayed job is its time in milliseconds times this. */
const DELAYED_SCALE = 0x1000

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

export function redisMeasures(redis: RedisConnection): Pick<QueueBackend, 'busy' | 'backlog' | 'oldest'> {
  return {
    async busy(name, before) {
      const keys = ['prioritized', 'delayed', 'wait', 'paused', 'active'].map((line) => `${PREFIX}:${name}:${line}`)
      return Number(await redis.eval(BUSY, keys.length, ...keys, before * DELAYED_SCALE))
    },
    async backlog(name) {
      const keys = ['wait', 'paused', 'prioritized', 'delayed'].map((line) => `${PREFIX}:${name}:${line}`)
      const sum = { measured: 0, bytes: 0 }
      for (;;) {
        const values = [`${PREFIX}:${name}:`, sum.measured, MEASURED_AT_ONCE]
        const found = (await redis.eval(BACKLOG, keys.length, ...keys, ...values)) as number[]
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
      const reply = (await redis.eval(OLDEST, keys.length, ...keys, `${PREFIX}:${name}:`, AGED_AT_MOST)) as string[]
      return Object.fromEntries(reply.flatMap((state, at) => (at % 2 === 0 ? [[state, Number(reply[at + 1])]] : [])))
    },
  }
}
