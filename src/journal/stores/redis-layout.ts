// The version of the journal's layout in Redis: a newer one is left alone (as in postgres-migrations.ts).
import type { Redis } from 'ioredis'
import { JournalTooNew } from '../errors.ts'

/** Raised when the previous version would misread keys or records. */
const LAYOUT = 1

/** Stores the version where there is none. Throws JournalTooNew. */
export async function claimRedisLayout(redis: Redis, prefix: string): Promise<void> {
  const key = `${prefix}:journal:layout`
  await redis.set(key, LAYOUT, 'NX')
  const found = Number(await redis.get(key))
  if (found > LAYOUT) throw new JournalTooNew(found, LAYOUT)
}
