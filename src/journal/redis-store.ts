// The journal's store in Redis: texts, sorted sets ordered by their members, and streams.
import type { Redis } from 'ioredis'
import { redisScript } from '../queue/redis-script.ts'
import { readTogether } from './read-together.ts'
import { type JournalStore, MOST_IN_TALLY, type Write } from './store.ts'
import { writeTogether } from './write-together.ts'

// One script, so that a crash cannot leave a claim without its mark, nor a mark without its entry.
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

// Without the GT of PEXPIRE: it is of Redis 7.
const EXTEND = `
for _, key in ipairs(KEYS) do
  local left = redis.call('PTTL', key)
  if left >= 0 and left < tonumber(ARGV[1]) then redis.call('PEXPIRE', key, ARGV[1]) end
end`

// All of many writes in one command: sent one by one, and each in its ten to thirty parts, they cost the sender several times as much.
const WRITE = `
local key, at, most = 0, 2, tonumber(ARGV[2])
local function nextKey() key = key + 1 return KEYS[key] end
local function nextValue() at = at + 1 return ARGV[at] end
local function nextNumber() return tonumber(nextValue()) end
local function write()
  local put, remove, index, unindex, count, isGuarded = nextNumber(), nextNumber(), nextNumber(), nextNumber(), nextNumber(), nextNumber()
  local keysAfter, valuesAfter = key + nextNumber(), at + 1 + nextNumber()
  if isGuarded == 1 then
    local guarded, value, unless = nextKey(), nextValue(), nextValue()
    local present = redis.call('GET', guarded)
    if present and string.find(present, unless, 1, true) then
      key, at = keysAfter, valuesAfter
      return
    end
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
  end
end
for _ = 1, tonumber(ARGV[1]) do write() end`

/** A name and a member of an index, or a number of a tally. */
const CHARACTERS_OF_A_NAME = 200

/** About so long is a write as Redis is sent it. */
function charactersOf({ guarded, put = [], remove = [], index = [], unindex = [], count = [] }: Write): number {
  const values = put.reduce((sum, { value }) => sum + value.length, guarded?.value.length ?? 0)
  return values + CHARACTERS_OF_A_NAME * (put.length + remove.length + index.length + unindex.length + count.length)
}

/** `prefix` begins every key, with the hash tag that keeps them in one slot. */
export function redisStore(redis: Redis, prefix: string): JournalStore {
  const record = (key: string) => `${prefix}:journal:record:${key}`
  const index = (name: string) => `${prefix}:journal:index:${name}`
  const list = (name: string) => `${prefix}:journal:list:${name}`
  const tally = (name: string) => `${prefix}:journal:tally:${name}`
  const count = (name: string) => `${prefix}:journal:count:${name}`
  const run = {
    write: redisScript(redis, WRITE),
    append: redisScript(redis, APPEND),
    trim: redisScript(redis, TRIM),
    swap: redisScript(redis, SWAP),
    extend: redisScript(redis, EXTEND),
  }

  const writeAll = writeTogether<Write>(async (all) => {
    const parts = all.map(partsOf)
    await run.write(
      parts.flatMap(({ keys }) => keys),
      [all.length, MOST_IN_TALLY, ...parts.flatMap(({ keys, numbers, values }) => [...numbers, keys.length, values.length, ...values])],
    )
  }, charactersOf)

  /** One write as the script takes it. */
  function partsOf({ guarded, put = [], remove = [], index: indexed = [], unindex = [], count: counted = [] }: Write) {
    return {
      keys: [
        ...(guarded === undefined ? [] : [record(guarded.key)]),
        ...put.map(({ key }) => record(key)),
        ...remove.map(record),
        ...[...indexed, ...unindex].map(({ name }) => index(name)),
        ...counted.map((each) => tally(each.tally)),
      ],
      numbers: [...[put, remove, indexed, unindex, counted].map(({ length }) => length), guarded === undefined ? 0 : 1],
      values: [
        ...(guarded === undefined ? [] : [guarded.value, guarded.unless]),
        ...put.flatMap(({ value, keepMs }) => [value, keepMs ?? '']),
        ...[...indexed, ...unindex].map(({ member }) => member),
        ...counted.flatMap(({ field, how, number, keepMs }) => [field, how, number, keepMs]),
      ],
    }
  }

  return {
    read: readTogether(async (keys) => (await redis.mget(keys.map(record))).map((value) => value ?? undefined)),
    async write(given) {
      const { guarded, put = [], remove = [], index: indexed = [], unindex = [], count: counted = [] } = given
      const [only] = put
      const more = remove.length + indexed.length + unindex.length + counted.length
      // What most writes are needs no script.
      if (only !== undefined && put.length === 1 && more === 0 && guarded === undefined) {
        await (only.keepMs === undefined
          ? redis.set(record(only.key), only.value)
          : redis.set(record(only.key), only.value, 'PX', only.keepMs))
        return
      }
      await writeAll(given)
    },
    async tallies(names) {
      if (names.length === 0) return []
      const all = redis.pipeline()
      for (const name of names) all.hgetall(tally(name))
      const answers = (await all.exec()) ?? []
      return answers.map(([error, found]) => {
        if (error !== null) throw error
        return Object.fromEntries(Object.entries(found as Record<string, string>).map(([field, number]) => [field, Number(number)]))
      })
    },
    members: (name, { before, limit }) =>
      redis.zrevrangebylex(index(name), before === undefined ? '+' : `(${before}`, '-', 'LIMIT', 0, limit),
    behind: async (name, after) => (await redis.zrevrange(index(name), after, after))[0],
    oldest: (name, { before, limit }) => redis.zrangebylex(index(name), '-', `(${before}`, 'LIMIT', 0, limit),
    async append(name, { value, mark, keepMarkMs, keepMs, claim }) {
      const answer = await run.append(
        [record(mark), count(name), list(name), ...(claim === undefined ? [] : [record(claim.key), record(claim.lostKey)])],
        [keepMarkMs, value, keepMs ?? '', ...(claim === undefined ? [] : [claim.by, claim.keepMs])],
      )
      if (typeof answer === 'number') return { seq: answer }
      return typeof answer === 'string' ? { claimedBy: answer } : {}
    },
    async entries(name) {
      const entries = await redis.xrange(list(name), '-', '+')
      return entries.map(([id, fields]) => ({ seq: Number.parseInt(id, 10), value: fields[1] ?? '' }))
    },
    trim: async (name, seq, keepEmptyMs) => void (await run.trim([list(name), count(name)], [`${seq + 1}-0`, keepEmptyMs ?? ''])),
    swap: async (key, { from, to, keepMs }) =>
      (await run.swap([record(key)], [from === undefined ? 'none' : `is ${from}`, to, keepMs ?? ''])) === 1,
    async extend({ records = [], lists = [] }, keepMs) {
      const keys = [...records.map(record), ...lists.flatMap((name) => [count(name), list(name)])]
      if (keys.length > 0) await run.extend(keys, [keepMs])
    },
    dropExpired: async () => undefined,
  }
}
