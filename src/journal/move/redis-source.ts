// Reads a whole journal from Redis, also while it is being moved, when no process may use it.
import type { RedisConnection } from '../../queue/types.ts'
import { key } from '../records/keys.ts'
import { decompressed } from '../stores/compressed-text.ts'
import type { History } from '../stores/history.ts'

const AT_ONCE = 1_000
/** Values are read in smaller batches: a body may have megabytes. */
const VALUES_AT_ONCE = 50

export interface SourceRecord {
  key: string
  value: string
  /** Milliseconds for which it is still stored; absent: forever. */
  keepMs?: number
}

export interface SourceList {
  name: string
  /** The last number that was given. */
  seq: number
  entries: { seq: number; value: string }[]
  keepMs?: number
}

export interface SourceTally {
  name: string
  fields: Record<string, number>
  keepMs: number
}

export interface RedisSource {
  /** All keys of records, in batches and in no order; some perhaps twice. */
  recordKeys(): AsyncGenerator<string[]>
  /** Those that still exist, in small batches. */
  records(keys: readonly string[]): AsyncGenerator<SourceRecord[]>
  indices(): AsyncGenerator<string[]>
  /** Last members first, in batches. */
  members(index: string): AsyncGenerator<string[]>
  /** How many records of history there are. */
  size(of: History): Promise<number>
  lists(): AsyncGenerator<SourceList[]>
  tallies(): AsyncGenerator<SourceTally[]>
  /** Deletes everything, in batches; yields how many keys each had. */
  remove(): AsyncGenerator<number>
}

/** `prefix`: as in redis-store.ts. */
export function redisSource(redis: RedisConnection, prefix: string): RedisSource {
  const kinds = ['record', 'index', 'list', 'count', 'tally'] as const
  const of = (kind: (typeof kinds)[number]) => `${prefix}:journal:${kind}:`

  /** The names of all keys of a kind. */
  async function* names(kind: (typeof kinds)[number]): AsyncGenerator<string[]> {
    const start = of(kind)
    for (let cursor = '0'; ; ) {
      const [next, found] = await redis.scan(cursor, 'MATCH', `${start}*`, 'COUNT', AT_ONCE)
      // One scan may name a key twice.
      if (found.length > 0) yield [...new Set(found)].map((each) => each.slice(start.length))
      if (next === '0') break
      cursor = next
    }
  }

  const keepMs = (ttl: number) => (ttl < 0 ? {} : { keepMs: Math.max(1, ttl) })
  /** PTTL's answer where the key has expired since its value was read. */
  const EXPIRED = -2

  return {
    recordKeys: () => names('record'),
    async *records(keys) {
      for (let from = 0; from < keys.length; from += VALUES_AT_ONCE) {
        const some = keys.slice(from, from + VALUES_AT_ONCE)
        const [values, ttls] = await Promise.all([
          redis.mgetBuffer(some.map((each) => of('record') + each)),
          Promise.all(some.map((each) => redis.pttl(of('record') + each))),
        ])
        const texts = await Promise.all(values.map((value) => (value === null ? undefined : decompressed(value))))
        yield some.flatMap((each, at) => {
          const [value, ttl = EXPIRED] = [texts[at], ttls[at]]
          return value === undefined || ttl === EXPIRED ? [] : [{ key: each, value, ...keepMs(ttl) }]
        })
      }
    },
    indices: () => names('index'),
    async *members(index) {
      for (let before = '+'; ; ) {
        const found = await redis.zrevrangebylex(of('index') + index, before, '-', 'LIMIT', 0, AT_ONCE)
        if (found.length > 0) yield found
        if (found.length < AT_ONCE) return
        before = `(${found.at(-1)}`
      }
    },
    size: (history) => redis.zcard(of('index') + key(history)),
    async *lists() {
      for await (const some of names('count')) {
        const lists = await Promise.all(
          some.map(async (name) => {
            const [seq, entries, ttl] = await Promise.all([
              redis.get(of('count') + name),
              redis.xrange(of('list') + name, '-', '+'),
              redis.pttl(of('count') + name),
            ])
            if (ttl === EXPIRED) return []
            const values = entries.map(([id, fields]) => ({ seq: Number.parseInt(id, 10), value: fields[1] ?? '' }))
            return [{ name, seq: Number(seq ?? 0), ...keepMs(ttl), entries: values }]
          }),
        )
        yield lists.flat()
      }
    },
    async *tallies() {
      for await (const some of names('tally'))
        yield Promise.all(
          some.map(async (name) => {
            const [fields, ttl] = await Promise.all([redis.hgetall(of('tally') + name), redis.pttl(of('tally') + name)])
            const numbers = Object.entries(fields).map(([field, number]): [string, number] => [field, Number(number)])
            return { name, fields: Object.fromEntries(numbers), keepMs: Math.max(1, ttl) }
          }),
        )
    },
    async *remove() {
      for (const kind of kinds)
        for await (const some of names(kind)) {
          await redis.unlink(some.map((each) => of(kind) + each))
          yield some.length
        }
    },
  }
}
