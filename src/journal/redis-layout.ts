// The version of how the journal lies in Redis: a newer Bellhop's is left alone, as the tables in PostgreSQL are (postgres-migrations.ts).
import type { Redis } from 'ioredis'
import { JournalTooNew } from './errors.ts'

/** Raised when keys or records change so that the version before would read them wrongly. */
const LAYOUT = 1

/** Writes the version down where there is none yet. Throws JournalTooNew. */
export async function claimRedisLayout(redis: Redis, prefix: string): Promise<void> {
  const key = `${prefix}:journal:layout`
  await redis.set(key, LAYOUT, 'NX')
  const found = Number(await redis.get(key))
  if (found > LAYOUT) throw new JournalTooNew(found, LAYOUT)
}
