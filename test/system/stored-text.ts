// Everything that a queue's store holds, as one text: to look for what must not be in it.
import { inflateRawSync } from 'node:zlib'
import type { Redis } from 'ioredis'
import type { StoreConnection } from '../../src/queue/types.ts'

/** All keys and values of a Redis, or all rows of both schemas, with what is compressed in them. */
export async function storedText(store: StoreConnection): Promise<string> {
  if (store.kind === 'redis') {
    // The bot's own connection gives up within a second; this reads a lot at once.
    const redis = store.redis.duplicate({ commandTimeout: 60_000 })
    const values = await valuesOf(redis)
    redis.disconnect()
    // Texts within texts are escaped by JSON; secrets have no character that is.
    return JSON.stringify(values)
  }
  const { pool } = store
  const tables = await pool.query<{ name: string }>(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema IN ('bullmq', 'bellhop') AND table_type = 'BASE TABLE'",
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`SELECT given::text AS row, given.* FROM ${name} AS given`)
    for (const row of rows)
      texts.push(
        String(row.row),
        ...Object.values(row).flatMap((value) =>
          value instanceof Uint8Array ? [inflateRawSync(value).toString()] : [],
        ),
      )
  }
  return texts.join('\n')
}

async function valuesOf(redis: Redis): Promise<unknown[]> {
  const readers: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
  }
  const keys = await redis.keys('*')
  return Promise.all(
    keys.map(async (key) => {
      const type = await redis.type(key)
      // One that ended meanwhile holds nothing.
      return type === 'none' ? '' : [key, await readers[type]?.(key)]
    }),
  )
}
