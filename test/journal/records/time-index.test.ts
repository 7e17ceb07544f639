// Pages of an index whose records hardly fit the filter.
import { expect, test } from 'vitest'
import { member } from '../../../src/journal/records/keys.ts'
import { timeIndex } from '../../../src/journal/records/time-index.ts'
import type { JournalStore } from '../../../src/journal/stores/store.ts'

interface Numbered {
  n: number
}
const memberFor = ({ n }: Numbered) => member(new Date(n).toISOString(), String(n))

/** An index of the records 0 to `count - 1`; nothing else of the store is used. */
function indexOf(count: number) {
  const newestFirst = Array.from({ length: count }, (_, n) => memberFor({ n })).reverse()
  const members: JournalStore['members'] = async (_name, { before, limit }) =>
    newestFirst.filter((each) => before === undefined || each < before).slice(0, limit)
  const read = async (keys: readonly string[]) => keys.map((key) => ({ n: Number(key) }))
  return timeIndex<Numbered>({ members } as JournalStore, { read, memberFor, indices: () => [] })
}

test('a page ends early after very many that do not fit, and the next page goes on there', async () => {
  const index = indexOf(600)
  const isFirst = ({ n }: Numbered) => n === 0
  const first = await index.page('all', { limit: 5 }, isFirst)
  expect(first).toEqual({ items: [], next: expect.any(String) })
  expect(await index.page('all', { limit: 5, after: first.next ?? '' }, isFirst)).toEqual({ items: [{ n: 0 }] })
})
