// The tables of docs/performance.md are written from a run; a run that is much worse than they are says so.
import { withTable, worseThan } from '../../bench/published.ts'
import { type Row, rowOf } from '../../bench/row.ts'

const page = '# Page\n\n<!-- bench reading -->\nold\n<!-- end -->\n\nAnd more.\n'
const time = (ratio: number): Row =>
  rowOf({ name: 'reading', what: 'ours: all', beside: 'theirs', unit: 'ms' }, [[ratio * 10, 10]])
const rate = (ratio: number): Row =>
  rowOf({ name: 'writing', what: 'ours', beside: 'theirs', unit: '/s' }, [[ratio * 10, 10]])
const written = withTable(page, 'reading', { rows: [time(2), rate(0.5)], source: '1234abcd, 29 November 2026.' })

test('a table is replaced, with its commit and date, and nothing else', () => {
  expect(written).toContain('| reading | ours: all: 20.0 ms | theirs: 10.0 ms | 2.00 |')
  expect(written).toMatch(/\n1234abcd, 29 November 2026\.\n\n<!-- end -->\n\nAnd more\.\n$/)
  expect(written).not.toContain('old')
})

test('a page without the place of a table says which', () => {
  expect(() => withTable(page, 'flight', { rows: [], source: '' })).toThrow('"<!-- bench flight -->"')
})

test.each([
  ['a time that is longer by a quarter', [time(2.5)], ['reading, ours: all / theirs: 2.50 in place of 2 ']],
  ['a rate that is lower by a quarter', [rate(0.375)], ['writing, ours / theirs: 0.375 in place of 0.5 ']],
  ['what differs by a tenth', [time(2.2), rate(0.45)], []],
  ['what is better', [time(1), rate(1)], []],
  ['what the page does not have', [{ ...time(9), name: 'flying' }], []],
])('%s', (_, rows, said) => {
  expect(worseThan(written, 'reading', rows)).toEqual(said.map((each) => expect.stringContaining(each)))
})
