// Opens the journal in the queue's own store.
import { asError } from '../queue/errors.ts'
import type { StoreConnection } from '../queue/types.ts'
import { JournalMisconfigured, JournalTooNew, JournalUnavailable } from './errors.ts'
import { createJournal } from './journal.ts'
import { claimJournal, journalInRedis } from './journal-id.ts'
import type { RetentionPolicy } from './records/retention.ts'
import { migrate } from './stores/postgres-migrations.ts'
import { postgresStore } from './stores/postgres-store.ts'
import type { Journal } from './types.ts'

/**
 * Shares the connection of `queue.store` and is closed with it. Throws JournalUnavailable, JournalTooNew, and
 * JournalMisconfigured where the queue has another journal. `failed` takes each failure of the store afterwards.
 */
export async function openJournal(
  store: StoreConnection,
  retention?: Partial<RetentionPolicy>,
  failed?: (error: JournalUnavailable) => void,
): Promise<Journal> {
  try {
    await (store.kind === 'redis' ? claimJournal(store, journalInRedis) : migrate(store.pool, store.tables))
  } catch (thrown) {
    if (thrown instanceof JournalTooNew || thrown instanceof JournalMisconfigured) throw thrown
    throw new JournalUnavailable(`The journal cannot be opened: ${asError(thrown).message}`, { cause: thrown })
  }
  if (store.kind !== 'redis') return createJournal(postgresStore(store.pool, store.tables), retention, failed)
  // Loaded on use: the other client stays unloaded.
  const { redisStore } = await import('./stores/redis-store.ts')
  return createJournal(redisStore(store.redis, store.prefix), retention, failed)
}
