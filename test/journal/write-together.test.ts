// Writes of one turn of the event loop are one: in their order, no more than a store may bear at once, and failed together.
import { expect, it } from 'vitest'
import { writeTogether } from '../../src/journal/write-together.ts'

const KB = 1024

function counted() {
  const written: string[][] = []
  const write = writeTogether<string>(
    async (all) => {
      written.push([...all])
      if (all.includes('broken')) throw new Error('gone')
    },
    (one) => one.length,
  )
  return { written, write }
}

it('writes what comes within one turn at once, in its order', async () => {
  const { written, write } = counted()
  await Promise.all([write('a'), write('b'), Promise.resolve().then(() => write('c'))])
  expect(written).toEqual([['a', 'b', 'c']])
})

it('begins anew for whoever comes while a write is under way', async () => {
  const { written, write } = counted()
  await write('a')
  await Promise.all([write('b'), new Promise((resolve) => setImmediate(resolve)).then(() => write('c'))])
  expect(written).toEqual([['a'], ['b'], ['c']])
})

it('begins another write where one would become too large, or more than a hundred', async () => {
  const { written, write } = counted()
  const large = 'x'.repeat(200 * KB)
  await Promise.all(['a', large, large, 'b'].map(write))
  expect(written.map((all) => all.map((one) => (one === large ? 'large' : one)))).toEqual([
    ['a', 'large'],
    ['large', 'b'],
  ])
  written.length = 0
  await Promise.all(Array.from({ length: 250 }, (_, n) => write(String(n))))
  expect(written.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(written.flat()).toEqual(Array.from({ length: 250 }, (_, n) => String(n)))
})

it('fails for all that were written together, and for nobody later', async () => {
  const { write } = counted()
  const [one, other] = await Promise.allSettled([write('a'), write('broken')])
  expect([one.status, other.status]).toEqual(['rejected', 'rejected'])
  await write('a')
})
