// Durations as people write them.
import fc from 'fast-check'
import { formatDuration, parseDuration, parseTimeSpent } from '../../../src/sandbox/merge-requests/duration.ts'

test.each([
  ['15m', 900, '15m'],
  ['3h30m', 12_600, '3h 30m'],
  ['3h 30m', 12_600, '3h 30m'],
  ['1d', 28_800, '1d'],
  ['8h', 28_800, '1d'],
  ['1w', 144_000, '1w'],
  ['1mo', 576_000, '1mo'],
  ['1mo2w3d4h5m6s', 576_000 + 288_000 + 86_400 + 14_400 + 300 + 6, '1mo 2w 3d 4h 5m 6s'],
  ['1.5h', 5400, '1h 30m'],
  ['0m', 0, null],
])('%s is %i seconds, written %s', (text, seconds, written) => {
  expect(parseDuration(text)).toBe(seconds)
  expect(formatDuration(seconds)).toBe(written)
})

test.each(['', 'soon', '3', 'h', '-1h', '3h and more', '9999999999mo', '1y'])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test('a formatted duration parses to the same seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds) ?? '')).toBe(seconds)
    }),
  )
})

test.each([
  ['1h30m', 5400],
  ['-1h30m', -5400],
  [' - 30m ', -1800],
  ['-0m', 0],
])('spending %j counts as %i seconds', (text, seconds) => {
  expect(parseTimeSpent(text)).toBe(seconds)
})

test.each(['', '-', '--1h', '1h-30m', '+1h', 'much'])('%j is no time that could be spent', (text) => {
  expect(parseTimeSpent(text)).toBeUndefined()
})
