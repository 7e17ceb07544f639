// Durations: what is read, and that writing and reading are inverse.
import fc from 'fast-check'
import { formatDuration, formatHours, parseDuration } from '../../../../src/rules/language/values/durations.ts'

describe('a duration', () => {
  it.each([
    ['15m', 900, 900],
    ['3h30m', 12_600, 12_600],
    ['3h 30m', 12_600, 12_600],
    ['1d', 86_400, 28_800],
    ['1w', 604_800, 144_000],
    ['0m', 0, 0],
  ])('%s is %i seconds of the calendar and %i of work', (text, calendar, working) => {
    expect(parseDuration(text, 'calendar')).toBe(calendar)
    expect(parseDuration(text, 'working')).toBe(working)
  })
  it.each(['', 'm', '5', '-5m', '1.5h', '5s', '1h1h', '5 m', ' 5m', '5m\n', '999999999w', '1h,2m', '5M'])(
    '%j is none',
    (text) => {
      expect(parseDuration(text, 'calendar')).toBeUndefined()
    },
  )
  it('is read again as it was written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom('calendar' as const, 'working' as const),
        (minutes, calendar) => {
          expect(parseDuration(formatDuration(minutes * 60, calendar), calendar)).toBe(minutes * 60)
          expect(parseDuration(formatHours(minutes * 60), calendar)).toBe(minutes * 60)
        },
      ),
    )
  })
  it('of any text never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => Number.isFinite(parseDuration(text, 'working') ?? 0)))
  })
})
