// Tables on a terminal: they fit its width, and nothing of a cell is lost.
import { tableOf } from '../../../src/cli/output/table.ts'

const url = 'https://git.example.com/hotel/application/-/merge_requests/3'
const events = 'push, merge requests, note, pipeline and many other events that make the row far too long'
const rows = [
  ['hotel/app', 'to be installed', events],
  [url, 'missing', 'y'],
]

test('a table is as wide as its cells in a pipe, and fits a terminal', () => {
  const piped = tableOf(['project', 'hook', 'details'], rows, undefined)
  expect(piped).toContain(`│ ${url} │ missing         │`)
  const fitted = tableOf(['project', 'hook', 'details'], rows, 80)
  for (const line of fitted.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const textOf = (table: string) =>
    table
      .replaceAll(/[^\p{L}\d]/gu, '')
      .split('')
      .sort()
      .join('')
  expect(textOf(fitted)).toBe(textOf(piped))
})

test('words are not divided where they fit', () => {
  expect(tableOf(['a', 'b'], [['one', 'two words or three in a row']], 24)).toMatch(/│ one │ two words or +│/)
})
