// Records over a store: when their retention is extended, and that a concurrent change is not overwritten.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordsIn } from '../../../src/journal/records/records.ts'
import type { JournalStore } from '../../../src/journal/stores/store.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** A store of these records that notes what it is asked to extend. */
function storeOf(records: Record<string, string>) {
  const extended: unknown[] = []
  const store = {
    read: async (keys: string[]) => keys.map((key) => records[key]),
    extend: async (what: object, keepMs: number) => void extended.push([what, keepMs]),
    async swap(key: string, { from, to }: { from: string | undefined; to: string }) {
      if (records[key] !== from) return false
      records[key] = to
      return true
    },
  }
  return { store: store as unknown as JournalStore, records, extended }
}

describe('the retention of a record that is read', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') }))
  afterEach(() => void vi.useRealTimers())

  test('is extended by the first read, and again by the first after a day', async () => {
    const { store, extended } = storeOf({ a: '1' })
    const { readAndExtend } = recordsIn(store)
    const reads = async () => {
      expect(await readAndExtend('a', 500)).toBe(1)
      return extended.length
    }
    expect(await reads()).toBe(1)
    expect(extended).toEqual([[{ records: ['a'] }, 500]])
    vi.advanceTimersByTime(DAY_MS - 1)
    expect(await reads()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await reads()).toBe(2)
  })

  test('is extended for each record, and for none that is missing', async () => {
    const { store, extended } = storeOf({ a: '1', b: '2' })
    const { readAndExtend, extend } = recordsIn(store)
    for (const key of ['a', 'b', 'missing']) await readAndExtend(key, 500)
    await extend('lists', 'c', 700)
    expect(extended).toEqual([
      [{ records: ['a'] }, 500],
      [{ records: ['b'] }, 500],
      [{ lists: ['c'] }, 700],
    ])
  })

  test('is extended by the next read where the store failed', async () => {
    const { store, extended } = storeOf({ a: '1' })
    const { readAndExtend } = recordsIn({
      ...store,
      extend: vi.fn(store.extend).mockRejectedValueOnce(new Error('gone')),
    })
    await expect(readAndExtend('a', 500)).rejects.toThrow('gone')
    expect(await readAndExtend('a', 500)).toBe(1)
    expect(extended).toHaveLength(1)
  })

  test('is remembered for ten thousand records at most', async () => {
    const { store, extended } = storeOf({})
    const { extend } = recordsIn(store)
    for (let n = 0; n < 10_000; n += 1) await extend('records', String(n), 500)
    await extend('records', '0', 500)
    expect(extended).toHaveLength(10_000)
    await extend('records', 'one more', 500)
    await extend('records', '0', 500)
    expect(extended).toHaveLength(10_002)
  })
})

describe('a change of a record', () => {
  test('starts again from what another process wrote meanwhile', async () => {
    const { store, records } = storeOf({ a: '1' })
    const seen: unknown[] = []
    await recordsIn(store).change<number>(
      'a',
      (before = 0) => {
        if (seen.push(before) === 1) records.a = '10'
        return before + 1
      },
      500,
    )
    expect([seen, records.a]).toEqual([[1, 10], '11'])
  })

  test('that returns undefined leaves the record as it is', async () => {
    const { store, records } = storeOf({ a: '1' })
    await recordsIn(store).change('a', () => undefined, 500)
    expect(records).toEqual({ a: '1' })
  })
})
