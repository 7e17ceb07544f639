// Readings of one turn of the event loop are one: what each of them is given, and when they are not.
import { expect, it } from 'vitest'
import { readTogether } from '../../src/journal/read-together.ts'

function counted() {
  const asked: string[][] = []
  const read = readTogether(async (keys) => {
    asked.push(keys)
    if (keys.includes('broken')) throw new Error('gone')
    return keys.map((key) => (key.startsWith('no') ? undefined : `of ${key}`))
  })
  return { asked, read }
}

it('gives each what it asked for, in its order, whoever asked beside it', async () => {
  const { asked, read } = counted()
  const all = await Promise.all([read(['a', 'nothing']), read([]), read(['b']), Promise.resolve().then(() => read(['a', 'c', 'a']))])
  expect(all).toEqual([['of a', undefined], [], ['of b'], ['of a', 'of c', 'of a']])
  expect(asked).toEqual([['a', 'nothing', 'b', 'a', 'c', 'a']])
})

it('asks anew for whoever comes while a reading is under way: what was written since is in it', async () => {
  const { asked, read } = counted()
  await read(['a'])
  await Promise.all([read(['b']), new Promise((resolve) => setImmediate(resolve)).then(() => read(['c']))])
  expect(asked).toEqual([['a'], ['b'], ['c']])
})

it('fails for all that were asked for together, and for nobody later', async () => {
  const { read } = counted()
  const [one, other] = await Promise.allSettled([read(['a']), read(['broken'])])
  expect([one.status, other.status]).toEqual(['rejected', 'rejected'])
  expect(await read(['a'])).toEqual(['of a'])
})
