// Clock windows: days, hours, dates and zones, through the nights on which the clock is put forward or back.
import fc from 'fast-check'
import { isWithin, nextChange, sayWindows } from '../../../../src/rules/language/values/time-windows.ts'
import { decideRule, problemsIn, rule, rules, verdictOf } from '../../world.ts'

const at = (text: string) => Date.parse(text)
const working = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: '09:00-17:30', zone: 'Europe/Berlin' }
const night = { days: ['fri'], hours: '22:00-06:00' }
const freeze = { from: '2026-12-20', to: '2027-01-02' }

it.each([
  // 2026-01-12 is a Monday; Berlin is an hour ahead in winter, two in summer.
  [working, '2026-01-12T07:59:59.999Z', false],
  [working, '2026-01-12T08:00:00.000Z', true],
  [working, '2026-01-12T16:29:59.999Z', true],
  [working, '2026-01-12T16:30:00.000Z', false],
  [working, '2026-01-11T12:00:00Z', false],
  [working, '2026-07-06T07:00:00Z', true],
  [working, '2026-07-06T15:30:00Z', false],
  // Midnight to two belong to the day on which the hours began.
  [night, '2026-01-09T22:00:00Z', true],
  [night, '2026-01-10T05:59:00Z', true],
  [night, '2026-01-10T06:00:00Z', false],
  [night, '2026-01-10T22:30:00Z', false],
  [night, '2026-01-09T05:00:00Z', false],
  [freeze, '2026-12-19T23:59:59Z', false],
  [freeze, '2026-12-20T00:00:00Z', true],
  [freeze, '2027-01-02T23:59:59Z', true],
  [freeze, '2027-01-03T00:00:00Z', false],
  [{ ...freeze, zone: 'Pacific/Auckland' }, '2026-12-19T11:00:00Z', true],
  [{ ...freeze, zone: 'Pacific/Auckland' }, '2027-01-02T11:00:00Z', false],
  [{ from: '2026-12-20' }, '2030-01-01T00:00:00Z', true],
  [{ to: '2026-12-20' }, '2030-01-01T00:00:00Z', false],
  [{ ...freeze, hours: '22:00-02:00' }, '2027-01-03T01:00:00Z', true],
  [{ ...freeze, hours: '22:00-02:00' }, '2026-12-20T01:00:00Z', false],
  [{ hours: '18:00-24:00' }, '2026-01-01T23:59:59Z', true],
  [{ hours: '18:00-00:00' }, '2026-01-01T00:00:00Z', false],
  // On 2026-03-29 Berlin goes from 02:00 to 03:00, on 2026-10-25 from 03:00 to 02:00.
  [{ hours: '02:00-03:00', zone: 'Europe/Berlin' }, '2026-03-29T01:00:00Z', false],
  [{ hours: '02:00-03:00', zone: 'Europe/Berlin' }, '2026-03-29T00:59:59Z', false],
  [{ hours: '02:00-03:00', zone: 'Europe/Berlin' }, '2026-10-25T00:30:00Z', true],
  [{ hours: '02:00-03:00', zone: 'Europe/Berlin' }, '2026-10-25T01:30:00Z', true],
  [[freeze, working], '2026-12-26T00:00:00Z', true],
  [[freeze, working], '2026-01-10T12:00:00Z', false],
])('the window %j at %s: %s', (window, time, expected) => {
  expect(isWithin(window, at(time))).toBe(expected)
})

describe('the next change', () => {
  it.each([
    [working, '2026-01-12T07:00:00Z', '2026-01-12T08:00:00.000Z'],
    [working, '2026-01-12T08:00:00Z', '2026-01-12T16:30:00.000Z'],
    // Over the weekend.
    [working, '2026-01-09T16:30:00Z', '2026-01-12T08:00:00.000Z'],
    [night, '2026-01-09T23:00:00Z', '2026-01-10T06:00:00.000Z'],
    [freeze, '2027-01-01T12:00:00Z', '2027-01-03T00:00:00.000Z'],
    [freeze, '2026-12-19T12:00:00Z', '2026-12-20T00:00:00.000Z'],
    [[freeze, working], '2027-01-02T12:00:00Z', '2027-01-03T00:00:00.000Z'],
    // While the clock is put forward or back, which by itself begins or ends nothing.
    [{ hours: '00:00-05:00', zone: 'Europe/Berlin' }, '2026-03-29T00:00:00Z', '2026-03-29T03:00:00.000Z'],
    [{ hours: '00:00-05:00', zone: 'Europe/Berlin' }, '2026-10-25T00:00:00Z', '2026-10-25T04:00:00.000Z'],
    [{ days: ['sat', 'sun'], zone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', '2026-10-25T23:00:00.000Z'],
    [working, '2026-03-27T17:00:00Z', '2026-03-30T07:00:00.000Z'],
    // And where it does: an hour is left out, or comes twice.
    [{ hours: '02:00-02:30', zone: 'Europe/Berlin' }, '2026-03-29T00:00:00Z', '2026-03-30T00:00:00.000Z'],
    [{ hours: '01:30-02:30', zone: 'Europe/Berlin' }, '2026-03-29T00:45:00Z', '2026-03-29T01:00:00.000Z'],
    [{ hours: '02:15-02:45', zone: 'Europe/Berlin' }, '2026-10-25T00:50:00Z', '2026-10-25T01:15:00.000Z'],
  ])('of %j after %s is %s', (window, time, expected) => {
    expect(new Date(nextChange(window, at(time)) ?? Number.NaN).toISOString()).toBe(expected)
  })
  it('is none when the last day is over', () => {
    expect(nextChange(freeze, at('2027-01-05T00:00:00Z'))).toBeUndefined()
  })
  it('of a day that is far off is looked for once, not every day', () => {
    const found = nextChange(freeze, at('2026-02-01T00:00:00Z')) ?? 0
    expect(found).toBeGreaterThan(at('2026-12-10T00:00:00Z'))
    expect(found).toBeLessThanOrEqual(at('2026-12-20T00:00:00Z'))
  })

  const zones = [
    ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'],
    'America/Havana',
  ]
  const clockTime = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  const pad = (number: number) => String(number).padStart(2, '0')
  const hours = fc
    .tuple(clockTime, clockTime)
    .filter(([a, b]) => a.join() !== b.join())
    .map(([[h1, m1], [h2, m2]]) => `${pad(h1)}:${pad(m1)}-${pad(h2)}:${pad(m2)}`)
  const moments = fc.integer({ min: at('2011-12-01T00:00:00Z'), max: at('2012-12-31T00:00:00Z') })
  const day = moments.map((time) => new Date(time).toISOString().slice(0, 10))
  const dates = fc.tuple(day, day).map((pair) => {
    const [from = '', to = ''] = pair.sort()
    return { from, to }
  })
  const window = fc
    .tuple(
      fc.option(fc.subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], { minLength: 1 })),
      fc.option(hours),
      fc.option(dates),
      fc.constantFrom(...zones),
    )
    .map(([days, span, range, zone]) => ({
      ...(days === null ? {} : { days }),
      ...(span === null ? {} : { hours: span }),
      ...(range ?? {}),
      zone,
    }))
  const windows = fc.array(window, { minLength: 1, maxLength: 2 })
  it('is never late: until then the answer stays', () => {
    fc.assert(
      fc.property(
        windows,
        moments,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (given, now, part) => {
          const change = nextChange(given, now)
          if (change !== undefined) expect(change).toBeGreaterThan(now)
          const until = change ?? now + 400 * 86_400_000
          expect(isWithin(given, now + Math.floor(part * (until - now)))).toBe(isWithin(given, now))
          if (change !== undefined) expect(isWithin(given, change - 1)).toBe(isWithin(given, now))
        },
      ),
      { numRuns: 400 },
    )
  })
  it('is reached in a few looks', () => {
    fc.assert(
      fc.property(window, moments, (given, now) => {
        const before = isWithin(given, now)
        let time: number | undefined = now
        let looks = 0
        while (time !== undefined && isWithin(given, time) === before && time - now < 9 * 86_400_000) {
          time = nextChange(given, time)
          looks++
        }
        expect(looks).toBeLessThan(6)
      }),
    )
  })
})

it('windows are said as they are written', () => {
  expect(sayWindows(working)).toBe('mon, tue, wed, thu or fri, 09:00-17:30 (Europe/Berlin)')
  expect(sayWindows([freeze, { to: '2026-01-01' }])).toBe(
    'from 2026-12-20 to 2027-01-02 (UTC) or until 2026-01-01 (UTC)',
  )
})

describe('in a rule', () => {
  const now = '2026-12-24T10:00:00Z'
  it.each([
    ['{ clock: { from: 2026-12-20, to: 2027-01-02, zone: UTC } }', 'true'],
    ['{ not: { clock: { from: 2026-12-20, to: 2027-01-02 } } }', 'false'],
    ['{ clock: { not: { days: [sat, sun] } } }', 'true'],
    ['{ clock: { within: { hours: "09:00-11:00" } } }', 'true'],
    ['{ clock: [{ days: fri }, { hours: "10:00-10:01" }] }', 'true'],
    ['{ any: [{ clock: { days: fri } }, { clock: { to: 2026-12-23 } }] }', 'false'],
  ])('%s is %s', (condition, verdict) => {
    expect(verdictOf(condition, { now })).toBe(verdict)
  })
  it('is unknown where the time at hand is none', () => {
    expect(verdictOf('{ clock: { days: fri } }', { now: 'now' })).toBe('unknown')
  })
  it('says what it waits for', () => {
    const trace = decideRule('{ clock: { hours: "09:00-17:30", zone: Europe/Berlin } }', '{ subscribe: true }', {
      now: '2026-01-11T00:00:00Z',
    }).rules[0]?.conditions
    expect(trace).toEqual({
      ...{ condition: 'clock', verdict: 'false' },
      ...{ expected: '09:00-17:30 (Europe/Berlin)', actual: 'Sun 11 Jan 01:00 Europe/Berlin' },
    })
  })
  it.each<[string, RegExp]>([
    ['{ zone: UTC }', /if\.clock: expected at least one of days, hours, from and to/],
    ['{ days: [monday] }', /if\.clock\.days\[0\]: expected one of sun, mon/],
    ...['9-5', '9:00-17:00', '09:00', '09:00-09:00', '24:00-06:00', '09:60-10:00', '09:00-24:01', ''].map(
      (hours): [string, RegExp] => [`{ hours: "${hours}" }`, /if\.clock\.hours: expected hours such as 09:00-17:30/],
    ),
    ...['Europe/Berln', '+02:00', '', '../etc'].map((zone): [string, RegExp] => [
      `{ days: mon, zone: "${zone}" }`,
      /if\.clock\.zone: expected a time zone such as UTC/,
    ]),
    ...['2026-02-30', '2026-02-29', '2026-13-01', '2026-1-1', '2026-12-20T00:00', ''].map((day): [string, RegExp] => [
      `{ from: "${day}" }`,
      /if\.clock\.from: expected a day/,
    ]),
    ['{ from: 2026-12-20, to: 2026-12-19 }', /if\.clock\.to: expected 2026-12-20 or a later day/],
    ['{ hour: x }', /did you mean "hours"/],
    ['{}', /if\.clock: expected/],
    ['friday', /if\.clock: expected a mapping with days/],
    ['[]', /if\.clock: expected a list of 1 to 20/],
  ])('%s is refused', (window, expected) => {
    expect(problemsIn(rules(rule(`{ clock: ${window} }`, '{ subscribe: true }')), 'a.yml').join('\n')).toMatch(expected)
  })
})
