// `bellhop merge-queue simulate` on the real planner.
import { expect, test } from 'vitest'
import { bellhopHere as bellhop, refuses } from '../run-here.ts'

test('shows four queues, the same figures for a seed', async () => {
  const flags = ['merge-queue', 'simulate', '--count', '60', '--seed', '3']
  const [text, again, json] = [
    await bellhop(flags),
    await bellhop(flags),
    await bellhop([...flags, '--format', 'json']),
  ]
  expect([text.code, text.err, text.out]).toEqual([0, '', again.out])
  expect(text.out).toMatch(/one after the other.*\n.*batches.*\n.*oracle/)
  expect(JSON.parse(json.out)).toHaveLength(4)
})

test.each([
  [['--bad', '101'], '0 to 100'],
  [['--arrivals', '0'], 'from 1'],
  [['--count', '2001'], 'at most 2000'],
])('%j is refused', async (flags, message) => {
  expect(await bellhop(['merge-queue', 'simulate', ...flags])).toEqual(refuses(2, message))
})
