// The indices of a journal's store, exact at their ends: a page that is off by one shows a record twice, or never.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { JournalStore } from '../../../src/journal/stores/store.ts'

export function journalStoreSuite(open: () => JournalStore): void {
  /** An index of these members, written in another order. */
  async function indexOf(...members: string[]): Promise<string> {
    const name = randomUUID()
    await open().write({ index: members.toReversed().map((member) => ({ name, member })) })
    return name
  }

  describe('an index', () => {
    test('gives its last members first, those before a member without that member', async () => {
      const name = await indexOf('a', 'b', 'c', 'd')
      expect(await open().members(name, { limit: 3 })).toEqual(['d', 'c', 'b'])
      expect(await open().members(name, { limit: 2, before: 'd' })).toEqual(['c', 'b'])
      expect(await open().members(name, { limit: 9, before: 'b' })).toEqual(['a'])
      expect(await open().members(name, { limit: 9, before: 'a' })).toEqual([])
    })

    test('gives its oldest members first, those before a member without that member', async () => {
      const name = await indexOf('a', 'b', 'c', 'd')
      expect(await open().oldest(name, { limit: 2, before: 'd' })).toEqual(['a', 'b'])
      expect(await open().oldest(name, { limit: 9, before: 'c' })).toEqual(['a', 'b'])
      expect(await open().oldest(name, { limit: 9, before: 'a' })).toEqual([])
    })

    test('names the member that has just so many after it', async () => {
      const name = await indexOf('a', 'b', 'c')
      expect(await Promise.all([0, 1, 2, 3].map((after) => open().behind(name, after)))).toEqual([
        'c',
        'b',
        'a',
        undefined,
      ])
    })

    test('is ordered by bytes, not by the rules of a language', async () => {
      const name = await indexOf('2026-11-21', 'A', 'a-', 'aB', 'aa', 'ä')
      expect(await open().members(name, { limit: 9 })).toEqual(['ä', 'aa', 'aB', 'a-', 'A', '2026-11-21'])
    })

    test('has no member of another, and none that was taken out', async () => {
      const [one, other] = [await indexOf('a', 'b'), await indexOf('c')]
      await open().write({
        unindex: [
          { name: one, member: 'b' },
          { name: one, member: 'c' },
        ],
      })
      expect(await open().members(one, { limit: 9 })).toEqual(['a'])
      expect(await open().members(other, { limit: 9 })).toEqual(['c'])
    })
  })
}
