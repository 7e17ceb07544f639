// Opens the journal in the queue's own store.
import { asError } from '../queue/errors.ts'
import type { StoreConnection } from '../queue/types.ts'
import { JournalUnavailable } from './errors.ts'
import { journalOver } from './journal.ts'
import type { Keeping } from './keeping.ts'
import { migrate } from './postgres-migrations.ts'
import { postgresStore } from './postgres-store.ts'
import { redisStore } from './redis-store.ts'
import type { Journal } from './types.ts'

/** Opens the journal beside the jobs (`queue.store`); it is closed with the queue. Throws JournalUnavailable. */
export async function openJournal(store: StoreConnection, keeping?: Partial<Keeping>): Promise<Journal> {
  if (store.kind === 'redis') return journalOver(redisStore(store.redis, store.prefix), keeping)
  try {
    await migrate(store.pool)
  } catch (thrown) {
    throw new JournalUnavailable(`The journal's tables cannot be made: ${asError(thrown).message}`, { cause: thrown })
  }
  return journalOver(postgresStore(store.pool), keeping)
}
