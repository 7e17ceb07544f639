// Opens the journal in the queue's own store.
import { asError } from '../queue/errors.ts'
import type { StoreConnection } from '../queue/types.ts'
import { JournalTooNew, JournalUnavailable } from './errors.ts'
import { journalOver } from './journal.ts'
import type { Keeping } from './keeping.ts'
import { migrate } from './postgres-migrations.ts'
import { postgresStore } from './postgres-store.ts'
import { claimRedisLayout } from './redis-layout.ts'
import type { Journal } from './types.ts'

/** Opens the journal beside the jobs (`queue.store`); it is closed with the queue. Throws JournalUnavailable and JournalTooNew. */
export async function openJournal(store: StoreConnection, keeping?: Partial<Keeping>): Promise<Journal> {
  try {
    await (store.kind === 'redis' ? claimRedisLayout(store.redis, store.prefix) : migrate(store.pool))
  } catch (thrown) {
    if (thrown instanceof JournalTooNew) throw thrown
    throw new JournalUnavailable(`The journal cannot be opened: ${asError(thrown).message}`, { cause: thrown })
  }
  if (store.kind !== 'redis') return journalOver(postgresStore(store.pool), keeping)
  // Loaded where it is used: its client would be loaded at each start.
  const { redisStore } = await import('./redis-store.ts')
  return journalOver(redisStore(store.redis, store.prefix), keeping)
}
