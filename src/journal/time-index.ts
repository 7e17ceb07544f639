// Records that indices name by their time: read newest first, a page at a time, and dropped when their time is over.
import { cursorOf, memberAt, memberOf, recordKeyOf } from './keys.ts'
import type { JournalStore, Named } from './store.ts'
import type { Page, Paged, Within } from './types.ts'

const PRUNED_AT_ONCE = 200
/** What is more waits for the next time: nobody waits for it. */
const PRUNED_AT_MOST = 100_000
const READ_AT_ONCE = 200
/** So many records one page may cost where hardly any is wanted. */
const MOST_LOOKED_AT = 1_000

/** How the records of one kind are read and named. */
export interface Listed<T> {
  read: (recordKeys: readonly string[]) => Promise<(T | undefined)[]>
  memberFor: (record: T) => string
  /** All that may name it. */
  indices: (record: T) => Named[]
  /** Other records that end with it. */
  besides?: (recordKey: string) => string[]
}

/** What is kept: from this member on (see keys.ts), and so many at most. */
export interface Limits {
  before: string
  most: number
}

export interface TimeIndex<T> {
  /** Newest first; `wanted` leaves out what an index names beside what is asked for. */
  page(index: string, from: Paged & Within, wanted?: (record: T) => boolean): Promise<Page<T>>
  /** Drops the records of an index whose members lie before `before`, and the oldest of more than `most`, with all that names them; gives the member before which they lay. */
  prune(index: string, limits: Limits): Promise<string>
}

/** Over one store; every method throws what the store throws. */
export function timeIndex<T>(store: JournalStore, { read, memberFor, indices, besides = () => [] }: Listed<T>): TimeIndex<T> {
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
          // Saved again with another time, a record is named twice: the older name counts no more.
          if (record === undefined || named === undefined || memberFor(record) !== named || !wanted(record)) continue
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
      const firstKept = (await store.behind(index, most - 1)) ?? ''
      const [before = tooOld] = [firstKept, tooOld].sort().reverse()
      for (let pruned = 0; pruned < PRUNED_AT_MOST; pruned += PRUNED_AT_ONCE) {
        const members = await store.oldest(index, { before, limit: PRUNED_AT_ONCE })
        if (members.length === 0) break
        const records = await read(members.map(recordKeyOf))
        const remove: string[] = []
        const unindex: Named[] = members.map((old) => ({ name: index, member: old }))
        for (const [at, record] of records.entries()) {
          const old = members[at]
          if (record === undefined || old === undefined || memberFor(record) !== old) continue
          remove.push(recordKeyOf(old), ...besides(recordKeyOf(old)))
          unindex.push(...indices(record))
        }
        await store.write({ remove, unindex })
      }
      return before
    },
  }
}
