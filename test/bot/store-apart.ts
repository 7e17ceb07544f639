// A part of a journal's store: texts of the same keys elsewhere in it are others.
import type { JournalStore } from '../../src/journal/stores/store.ts'

/** Whole days are dropped for all parts. */
export function storeApart(store: JournalStore, name: string): JournalStore {
  /** Behind the kind, by which a store chooses the table. */
  const apart = (key: string) => key.replace(/^\["[^"]*"/, (kind) => `${kind},"${name}"`)
  const entries = <T extends { name: string }>(all: T[] = []) =>
    all.map((each) => ({ ...each, name: apart(each.name) }))
  const puts = <T extends { key: string }>(put: T): T => ({ ...put, key: apart(put.key) })
  const { dropDays } = store
  return {
    read: (keys) => store.read(keys.map(apart)),
    write: ({ guarded, put, remove, index, unindex, count }) =>
      store.write({
        ...(guarded && { guarded: puts(guarded) }),
        ...(put && { put: put.map(puts) }),
        ...(remove && { remove: remove.map(apart) }),
        ...(index && { index: entries(index) }),
        ...(unindex && { unindex: entries(unindex) }),
        ...(count && { count: count.map((each) => ({ ...each, tally: apart(each.tally) })) }),
      }),
    tallies: (names) => store.tallies(names.map(apart)),
    members: (index, options) => store.members(apart(index), options),
    behind: (index, after) => store.behind(apart(index), after),
    oldest: (index, options) => store.oldest(apart(index), options),
    append: async (list, { claim, ...entry }) =>
      store.append(apart(list), {
        ...entry,
        idempotencyKey: apart(entry.idempotencyKey),
        ...(claim && { claim: { ...claim, key: apart(claim.key), lostKey: apart(claim.lostKey) } }),
      }),
    entries: (list) => store.entries(apart(list)),
    trim: (list, seq, keepEmptyMs) => store.trim(apart(list), seq, keepEmptyMs),
    swap: (key, change) => store.swap(apart(key), change),
    extend: ({ records, lists }, keepMs) =>
      store.extend(
        { ...(records && { records: records.map(apart) }), ...(lists && { lists: lists.map(apart) }) },
        keepMs,
      ),
    dropExpired: (now) => store.dropExpired(now),
    ...(dropDays && { dropDays: (of, before) => dropDays(of, before) }),
  }
}
