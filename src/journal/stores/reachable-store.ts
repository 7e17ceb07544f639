// Wraps a store: all its errors become JournalUnavailable.
import { asError } from '../../queue/errors.ts'
import { JournalUnavailable } from '../errors.ts'
import type { JournalStore } from './store.ts'

/** `failed` takes each. */
export function withUnavailable(store: JournalStore, failed: (error: JournalUnavailable) => void): JournalStore {
  const guarded =
    <Args extends unknown[], R>(ask: (...args: Args) => Promise<R>) =>
    async (...args: Args): Promise<R> => {
      try {
        return await ask(...args)
      } catch (thrown) {
        const message = `The journal cannot be reached: ${asError(thrown).message}`
        const error = new JournalUnavailable(message, { cause: thrown })
        failed(error)
        throw error
      }
    }
  return {
    read: guarded(store.read),
    write: guarded(store.write),
    tallies: guarded(store.tallies),
    members: guarded(store.members),
    behind: guarded(store.behind),
    oldest: guarded(store.oldest),
    append: guarded(store.append),
    entries: guarded(store.entries),
    trim: guarded(store.trim),
    swap: guarded(store.swap),
    extend: guarded(store.extend),
    dropExpired: guarded(store.dropExpired),
    ...(store.dropDays === undefined ? {} : { dropDays: guarded(store.dropDays) }),
  }
}
