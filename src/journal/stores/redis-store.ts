// The journal's store in Redis: texts, sorted sets ordered by their members, and streams.
import type { RedisConnection } from '../../queue/types.ts'
import { compressed, decompressed } from './compressed-text.ts'
import { recordTableOf } from './history.ts'
import { type JournalStore, MOST_IN_TALLY, type Put } from './store.ts'

// One script, so that a crash cannot leave a claim without its idempotency key, nor that key without its entry.
const APPEND = `
if KEYS[4] then
  local lost = redis.call('GET', KEYS[5])
  if lost then return lost end
  local first = redis.call('GET', KEYS[4])
  if not first then redis.call('SET', KEYS[4], ARGV[4], 'PX', ARGV[5])
  elseif first ~= ARGV[4] then
    redis.call('SET', KEYS[5], first, 'PX', ARGV[1])
    return first
  end
end
if not redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1]) then return false end
local seq = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[3], seq .. '-0', 'value', ARGV[2])
for _, key in ipairs({ KEYS[2], KEYS[3] }) do
  if ARGV[3] == '' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, ARGV[3]) end
end
return seq`

const TRIM = `
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[1])
if redis.call('XLEN', KEYS[1]) == 0 then
  redis.call('DEL', KEYS[1])
  if ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
end`

const SWAP = `
local present = redis.call('GET', KEYS[1])
if (present and 'is ' .. present or 'none') ~= ARGV[1] then return 0 end
if ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`

// PEXPIRE's GT needs Redis 7.
const EXTEND = `
for _, key in ipairs(KEYS) do
  local left = redis.call('PTTL', key)
  if left >= 0 and left < tonumber(ARGV[1]) then redis.call('PEXPIRE', key, ARGV[1]) end
end`

const WRITE = `
local key, at = 0, 0
local function nextKey() key = key + 1 return KEYS[key] end
local function nextValue() at = at + 1 return ARGV[at] end
local function nextNumber() return tonumber(nextValue()) end
local put, remove, index, unindex, count = nextNumber(), nextNumber(), nextNumber(), nextNumber(), nextNumber()
local isGuarded, most = nextNumber(), nextNumber()
if isGuarded == 1 then
  local guarded, value, unless = nextKey(), nextValue(), nextValue()
  local present = redis.call('GET', guarded)
  if present and string.find(present, unless, 1, true) then return end
  redis.call('SET', guarded, value)
end
for _ = 1, put do
  local value, ttl = nextValue(), nextValue()
  if ttl == '' then redis.call('SET', nextKey(), value) else redis.call('SET', nextKey(), value, 'PX', ttl) end
end
for _ = 1, remove do redis.call('DEL', nextKey()) end
for _ = 1, index do redis.call('ZADD', nextKey(), 0, nextValue()) end
for _ = 1, unindex do redis.call('ZREM', nextKey(), nextValue()) end
for _ = 1, count do
  local tally, field, how, number, ttl = nextKey(), nextValue(), nextValue(), nextValue(), nextValue()
  local before = redis.call('HGET', tally, field)
  if before or redis.call('HLEN', tally) < most then
    if how == 'add' then redis.call('HINCRBY', tally, field, number)
    elseif not before or tonumber(before) < tonumber(number) then redis.call('HSET', tally, field, number) end
    redis.call('PEXPIRE', tally, ttl)
  end
end`

/** `prefix`: of all keys. */
export function redisStore(redis: RedisConnection, prefix: string): JournalStore {
  const record = (key: string) => `${prefix}:journal:record:${key}`
  const index = (name: string) => `${prefix}:journal:index:${name}`
  const list = (name: string) => `${prefix}:journal:list:${name}`
  const tally = (name: string) => `${prefix}:journal:tally:${name}`
  const count = (name: string) => `${prefix}:journal:count:${name}`
  /** Sends the whole script. By its hash, an unknown script would be sent again, and later calls would run before it. */
  const run = (script: string, keys: string[], values: (string | number | Buffer)[]) =>
    redis.eval(script, keys.length, ...keys, ...values)

  return {
    async read(keys) {
      if (keys.length === 0) return []
      const values = await redis.mgetBuffer(keys.map(record))
      return Promise.all(values.map((value) => (value === null ? undefined : decompressed(value))))
    },
    async write({ guarded, put: given = [], remove = [], index: indexed = [], unindex = [], count: counted = [] }) {
      const put = await Promise.all(given.map(stored))
      await run(
        WRITE,
        [
          ...(guarded === undefined ? [] : [record(guarded.key)]),
          ...put.map(({ key }) => record(key)),
          ...remove.map(record),
          ...[...indexed, ...unindex].map(({ name }) => index(name)),
          ...counted.map((each) => tally(each.tally)),
        ],
        [
          ...[put, remove, indexed, unindex, counted].map(({ length }) => length),
          ...[guarded === undefined ? 0 : 1, MOST_IN_TALLY],
          ...(guarded === undefined ? [] : [guarded.value, guarded.unless]),
          ...put.flatMap(({ value, keepMs }) => [value, keepMs ?? '']),
          ...[...indexed, ...unindex].map(({ member }) => member),
          ...counted.flatMap(({ field, how, number, keepMs }) => [field, how, number, keepMs]),
        ],
      )
    },
    async tallies(names) {
      if (names.length === 0) return []
      const all = redis.pipeline()
      for (const name of names) all.hgetall(tally(name))
      const answers = (await all.exec()) ?? []
      return answers.map(([error, found]) => {
        if (error !== null) throw error
        return Object.fromEntries(
          Object.entries(found as Record<string, string>).map(([field, number]) => [field, Number(number)]),
        )
      })
    },
    members: (name, { before, limit }) =>
      redis.zrevrangebylex(index(name), before === undefined ? '+' : `(${before}`, '-', 'LIMIT', 0, limit),
    behind: async (name, after) => (await redis.zrevrange(index(name), after, after))[0],
    oldest: (name, { before, limit }) => redis.zrangebylex(index(name), '-', `(${before}`, 'LIMIT', 0, limit),
    async append(name, { value, idempotencyKey, keepIdempotencyKeyMs, keepMs, claim }) {
      const answer = await run(
        APPEND,
        [
          record(idempotencyKey),
          count(name),
          list(name),
          ...(claim === undefined ? [] : [record(claim.key), record(claim.lostKey)]),
        ],
        [keepIdempotencyKeyMs, value, keepMs ?? '', ...(claim === undefined ? [] : [claim.by, claim.keepMs])],
      )
      if (typeof answer === 'number') return { seq: answer }
      return typeof answer === 'string' ? { claimedBy: answer } : {}
    },
    async entries(name) {
      const entries = await redis.xrange(list(name), '-', '+')
      return entries.map(([id, fields]) => ({ seq: Number.parseInt(id, 10), value: fields[1] ?? '' }))
    },
    trim: async (name, seq, keepEmptyMs) =>
      void (await run(TRIM, [list(name), count(name)], [`${seq + 1}-0`, keepEmptyMs ?? ''])),
    swap: async (key, { from, to, keepMs }) =>
      (await run(SWAP, [record(key)], [from === undefined ? 'none' : `is ${from}`, to, keepMs ?? ''])) === 1,
    async extend({ records = [], lists = [] }, keepMs) {
      const keys = [...records.map(record), ...lists.flatMap((name) => [count(name), list(name)])]
      if (keys.length > 0) await run(EXTEND, keys, [keepMs])
    },
    dropExpired: async () => undefined,
  }
}

/** Bodies and decisions are long, and no script looks into them. */
async function stored({ key, value, keepMs }: Put): Promise<{ key: string; value: string | Buffer; keepMs?: number }> {
  const isLong = ['body', 'decision'].includes(recordTableOf(key))
  return { key, value: isLong ? await compressed(value) : value, ...(keepMs === undefined ? {} : { keepMs }) }
}
