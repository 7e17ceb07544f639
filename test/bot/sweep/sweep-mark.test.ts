// How the mark of a sweep moves.
import { advanced, changesAfter, type ListMark, neverListed, overlapMs } from '../../../src/bot/sweep/sweep-mark.ts'

const now = 1_000_000_000
const seen = (newest: number, at: number, confirmed = false): ListMark => ({ newest, newestSeenAt: at, confirmed })

describe('the changes of a sweep', () => {
  test('are none of before the first sweep', () => {
    expect(changesAfter(neverListed)).toBeUndefined()
  })
  test('begin an overlap before the newest that was seen, that moment included', () => {
    expect(changesAfter(seen(5_000_000, now))).toBe(5_000_000 - overlapMs - 1)
  })
  test('begin behind the newest once it is confirmed', () => {
    expect(changesAfter(seen(5_000_000, now, true))).toBe(5_000_000)
  })
})

describe('a mark', () => {
  test('is confirmed when nothing newer was seen so much later, by our own clock alone', () => {
    expect(advanced(seen(50, now), { seen: 50 }, now + overlapMs - 1).confirmed).toBe(false)
    expect(advanced(seen(50, now), { seen: 50 }, now + overlapMs).confirmed).toBe(true)
    expect(advanced(seen(50, now, true), { seen: 50 }, now + 1).confirmed).toBe(true)
  })
  test('moves with a newer change, and is unconfirmed again', () => {
    expect(advanced(seen(50, now, true), { seen: 51 }, now + 9)).toMatchObject({
      newest: 51,
      newestSeenAt: now + 9,
      confirmed: false,
    })
  })
  test('never moves back, and never beyond the present', () => {
    expect(advanced(seen(50, now), { seen: Number.NEGATIVE_INFINITY }, now).newest).toBe(50)
    expect(advanced(seen(50, now), { seen: now + 999_999 }, now).newest).toBe(now)
  })
  test('never moves beyond the service’s own present, where its clock is known: behind ours, or before it', () => {
    const [behind, before] = [now - 600_000, now + 600_000]
    expect(advanced(seen(50, now), { seen: now + 999_999, serviceNow: behind }, now).newest).toBe(behind + 999)
    // The service says whole seconds of its clock, and finer ones of a change.
    expect(advanced(seen(50, now), { seen: behind + 700, serviceNow: behind }, now).newest).toBe(behind + 700)
    expect(advanced(seen(50, now), { seen: before - 1, serviceNow: before }, now).newest).toBe(before - 1)
  })
  test('of a project without merge requests makes every later one a change', () => {
    const mark = advanced(neverListed, { seen: Number.NEGATIVE_INFINITY }, now)
    expect(changesAfter(mark)).toBeLessThan(0)
  })
})
