// The table of a bench: what its figures are medians of is what was measured.
import { rowOf, table } from '../../bench/row.ts'

const named = { name: 'reading', what: 'ours', beside: 'theirs', unit: 'ms' } as const
const rounds = (...of: number[]) => of.map((each) => [each, 10] as const)

test.each([
  ['Measured once.', [rounds(20)]],
  ['Medians of 3 rounds.', [rounds(20, 21, 100), rounds(1, 2, 3)]],
  ['Medians of 1 to 3 rounds.', [rounds(20, 21, 100), rounds(1)]],
])('%s', (said, measured) => {
  expect(table(measured.map((each) => rowOf(named, each))).split('\n\n')[0]).toBe(said)
})

test('a figure is the median of its rounds, its ratio that of the rounds’ own', () => {
  expect(rowOf(named, rounds(20, 21, 100))).toMatchObject({ value: 21, besideValue: 10, ratio: 2.1, rounds: 3 })
})
