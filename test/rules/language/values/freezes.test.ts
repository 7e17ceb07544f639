// A freeze as people write it: it always ends, and within a year.
import { isFrozen, readFreeze, sayFreeze } from '../../../../src/rules/language/values/freezes.ts'

const at = '2026-11-30T22:30:00.000Z'
const read = (given: Parameters<typeof readFreeze>[0]) => readFreeze(given, 'alice', at)

test.each([
  ['2h', '2026-12-01T00:30:00.000Z'],
  [' 1d12h ', '2026-12-02T10:30:00.000Z'],
  ['2026-12-01', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T09:00', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01 09:00Z', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00+01:00', '2026-12-01T08:00:00.000Z'],
])('until %s is read, in UTC without a zone', (until, end) => {
  expect(read({ until })).toEqual({ until: end, except: [], by: 'alice', at })
})

test.each([undefined, 'monday', '0m', '367d', '2026-11-30T22:00Z', '2027-12-30', '2026-13-01'])(
  'until %s is no end',
  (until) => {
    expect(read({ until, reason: 'the release' })).toBeUndefined()
  },
)

test('it says why in one line, and leaves out labels', () => {
  const freeze = read({ until: '2h', reason: ` the\nrelease ${'x'.repeat(300)}`, except: 'hotfix, scope::now,,' })
  expect(freeze?.reason).toMatch(/^the release x{188}…$/)
  expect(freeze?.except).toEqual(['hotfix', 'scope::now'])
  expect(sayFreeze({ until: '2026-12-01T09:00:00.000Z', reason: 'a' })).toBe('frozen until Tue 01 Dec 09:00 UTC (a)')
})

test('hostile text keeps no control character and no half of a character', () => {
  const freeze = read({ until: '2h', reason: `${'x'.repeat(199)}😀`, except: 'hot\u0000fix,\u0007' })
  expect(freeze).toMatchObject({ reason: `${'x'.repeat(199)}…`, except: ['hotfix'] })
})

test('it ends when its time is there', () => {
  const freeze = read({ until: '2026-12-01T09:00Z' })
  const moments = ['2026-12-01T08:59:59.999Z', '2026-12-01T09:00:00.000Z']
  expect(moments.map((now) => isFrozen(freeze, now))).toEqual([true, false])
  expect(isFrozen(undefined, at)).toBe(false)
})
