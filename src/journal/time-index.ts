// Records that indices name by their time: read newest first, a page at a time, and dropped when their time is over.
import { cursorOf, memberOf, recordKeyOf } from './keys.ts'
import type { JournalStore, Named } from './store.ts'
import type { Page } from './types.ts'

const PRUNED_AT_ONCE = 200

/** How the records of one kind are read and named. */
export interface Listed<T> {
  read: (recordKeys: readonly string[]) => Promise<(T | undefined)[]>
  memberFor: (record: T) => string
  /** All that may name it. */
  indices: (record: T) => Named[]
  /** Other records that end with it. */
  besides?: (recordKey: string) => string[]
}

export interface TimeIndex<T> {
  /** Newest first; `wanted` leaves out what an index names by mistake. */
  page(index: string, from: { limit: number; after: string | undefined }, wanted?: (record: T) => boolean): Promise<Page<T>>
  /** Drops the records of an index whose members lie before `before`, with all that names them. */
  prune(index: string, before: string): Promise<void>
}

export function timeIndex<T>(store: JournalStore, { read, memberFor, indices, besides = () => [] }: Listed<T>): TimeIndex<T> {
  return {
    async page(index, { limit, after }, wanted = () => true) {
      if (limit < 1) return { items: [] }
      const before = memberOf(after)
      const members = await store.members(index, { limit: limit + 1, ...(before === undefined ? {} : { before }) })
      const shown = members.slice(0, limit)
      const records = await read(shown.map(recordKeyOf))
      const items = records.flatMap((record, at) => {
        // Saved again with another time, a record is named twice: the older name counts no more.
        return record !== undefined && memberFor(record) === shown[at] && wanted(record) ? [record] : []
      })
      const last = shown.at(-1)
      return members.length > limit && last !== undefined ? { items, next: cursorOf(last) } : { items }
    },

    async prune(index, before) {
      for (;;) {
        const members = await store.oldest(index, { before, limit: PRUNED_AT_ONCE })
        if (members.length === 0) return
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
    },
  }
}
