// Records indexed by time: read newest first in pages, and deleted after their retention.

import type { History } from '../stores/history.ts'
import type { IndexEntry, JournalStore } from '../stores/store.ts'
import type { JournalPage, PageRequest, TimeRange } from '../types.ts'
import { cursorOf, memberAt, memberOf, recordKeyOf, timeIn } from './keys.ts'

const PRUNED_AT_ONCE = 200
/** The next run deletes the rest. */
const PRUNED_AT_MOST = 100_000
const READ_AT_ONCE = 200
/** The most records that one page reads when hardly any fits. */
const MOST_LOOKED_AT = 500

export interface IndexOptions<T> {
  /** Of records that a store may delete by whole days. */
  history?: History
  read: (recordKeys: readonly string[]) => Promise<(T | undefined)[]>
  memberFor: (record: T) => string
  /** All indices that may contain it. */
  indices: (record: T) => IndexEntry[]
  /** Records deleted with it. */
  besides?: (recordKey: string) => string[]
}

/** The first member that stays (see keys.ts), and how many stay at most. */
export interface IndexLimits {
  before: string
  most: number
}

export interface TimeIndex<T> {
  /** Newest first; `wanted` filters. */
  page(index: string, from: PageRequest & TimeRange, wanted?: (record: T) => boolean): Promise<JournalPage<T>>
  /**
   * Deletes the records whose members are before `before`, then the oldest above `most`, with their index entries; of
   * whole days only where the store has days. Returns the member before which they were.
   */
  prune(index: string, limits: IndexLimits): Promise<string>
}

export function timeIndex<T>(
  store: JournalStore,
  { history, read, memberFor, indices, besides = () => [] }: IndexOptions<T>,
): TimeIndex<T> {
  /** Saved again with another time, a record has two members: the older no longer counts. */
  const isOf = (record: T, named: string) => timeIn(memberFor(record)) === timeIn(named)

  return {
    async page(index, { limit, after, since, until }, wanted = () => true) {
      const items: T[] = []
      if (limit < 1) return { items }
      const first = since === undefined ? '' : memberAt(new Date(since))
      let before = memberOf(after) ?? (until === undefined ? undefined : memberAt(new Date(until)))
      let atOnce = limit
      for (let looked = 0; ; atOnce = Math.max(atOnce, Math.min(atOnce * 2, READ_AT_ONCE))) {
        const members = await store.members(index, { limit: atOnce + 1, ...(before === undefined ? {} : { before }) })
        const within = members.filter((each) => each >= first)
        const shown = within.slice(0, atOnce)
        const records = await read(shown.map(recordKeyOf))
        for (const [at, record] of records.entries()) {
          const named = shown[at]
          if (record === undefined || named === undefined || !isOf(record, named) || !wanted(record)) continue
          items.push(record)
          if (items.length === limit) return at + 1 < within.length ? { items, next: cursorOf(named) } : { items }
        }
        looked += shown.length
        before = shown.at(-1)
        if (before === undefined || within.length <= atOnce) return { items }
        if (looked >= MOST_LOOKED_AT) return { items, next: cursorOf(before) }
      }
    },

    async prune(index, { before: tooOld, most }) {
      await deleteBefore(index, tooOld)
      const firstKept = await store.behind(index, most - 1)
      if (firstKept === undefined || firstKept <= tooOld) return tooOld
      await deleteBefore(index, firstKept)
      return firstKept
    },
  }

  async function deleteBefore(index: string, before: string): Promise<void> {
    if (history !== undefined && store.dropDays !== undefined) return store.dropDays(history, before)
    for (let pruned = 0; pruned < PRUNED_AT_MOST; pruned += PRUNED_AT_ONCE) {
      const members = await store.oldest(index, { before, limit: PRUNED_AT_ONCE })
      if (members.length === 0) break
      const records = await read(members.map(recordKeyOf))
      const remove: string[] = []
      const unindex: IndexEntry[] = members.map((old) => ({ name: index, member: old }))
      for (const [at, record] of records.entries()) {
        const old = members[at]
        if (record === undefined || old === undefined || !isOf(record, old)) continue
        remove.push(recordKeyOf(old), ...besides(recordKeyOf(old)))
        unindex.push(...indices(record))
      }
      await store.write({ remove, unindex })
    }
  }
}
