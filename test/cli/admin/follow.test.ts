// --follow: every entry of a list exactly once, whatever comes between two looks.
import { follow, upTo } from '../../../src/cli/admin/list-command.ts'

/** A list of so many; the newest is the last that was added. */
function listOf(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `n-${index}`)
  const read = async (limit: number, after = String(ids.length)) => {
    const end = Number(after)
    const start = Math.max(0, end - limit)
    const items = ids
      .slice(start, end)
      .toReversed()
      .map((id) => ({ id }))
    return start === 0 ? { items } : { items, next: String(start) }
  }
  const add = (more: number) => {
    for (let each = 0; each < more; each++) ids.push(`n-${ids.length}`)
  }
  return { read, add }
}

async function take(from: AsyncGenerator<{ id: string }>, count: number): Promise<string[]> {
  const taken: string[] = []
  while (taken.length < count) taken.push((await from.next()).value.id)
  return taken
}

test.each([
  { comes: 1, what: 'one entry' },
  { comes: 450, what: 'more than a page' },
])(
  'gives the newest few and then $what that came while they were shown, in order, and none twice',
  async ({ comes }) => {
    const { read, add } = listOf(300)
    const stop = new AbortController()
    const followed = follow(read, 3, stop.signal, 1)
    expect(await take(followed, 2)).toEqual(['n-297', 'n-298'])
    add(comes)
    const rest = await take(followed, 1 + comes)
    expect(rest).toEqual(Array.from({ length: 1 + comes }, (_, index) => `n-${299 + index}`))
    add(1)
    expect(await take(followed, 1)).toEqual([`n-${300 + comes}`])
    stop.abort()
    expect((await followed.next()).done).toBe(true)
  },
)

test('upTo reads pages until it has so many, and says where to go on', async () => {
  const { read } = listOf(500)
  const { items, next } = await upTo(450, read)
  expect([items.length, items[0]?.id, items.at(-1)?.id, next]).toEqual([450, 'n-499', 'n-50', '50'])
  expect((await upTo(501, read)).next).toBeUndefined()
})
