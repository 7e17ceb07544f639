// Turns on one session: in the order of asking, and never so close together that the process hears nobody else.
import { expect, test } from 'vitest'
import { sessionTurns } from '../../src/queue/session-turns.ts'

test('who asks first is first, and nobody has it together with another', async () => {
  const turns = sessionTurns()
  const seen: string[] = []
  const work = async (name: string) => {
    const end = await turns.take()
    seen.push(`${name} begins`)
    await Promise.resolve()
    seen.push(`${name} ends`)
    end()
  }
  await Promise.all([work('a'), work('b'), work('c')])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('between two turns the process hears others: requests, timers, signals', async () => {
  const turns = sessionTurns()
  let heard = 0
  let isOver = false
  const listen = () => {
    heard += 1
    if (!isOver) setImmediate(listen)
  }
  setImmediate(listen)
  // Statements of PGlite end within the same turn of the event loop: as these do.
  const one = async () => (await turns.take())()
  await Promise.all(Array.from({ length: 100 }, one))
  isOver = true
  expect(heard).toBeGreaterThanOrEqual(99)
})
