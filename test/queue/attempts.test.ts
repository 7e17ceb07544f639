// The schedule of tries: what is due by itself counts, what an event woke does not.
import { expect, test } from 'vitest'
import { afterFailure, backoffMs, isWoken, readTally, restMs, type Tally } from '../../src/queue/attempts.ts'

const failed = (tally: Tally, startedAt: number) => afterFailure(tally, { startedAt, now: startedAt, firstBackoffMs: 1_000, chance: 1 })

test('waits double up to an hour, less up to half of it by chance', () => {
  expect([1, 2, 3, 12, 13, 40].map((attempt) => backoffMs(attempt, 1_000, 1))).toEqual([
    1_000, 2_000, 4_000, 2_048_000, 3_600_000, 3_600_000,
  ])
  expect(backoffMs(3, 1_000, 0)).toBe(2_000)
})

test('a failure at its own time counts and sets the next time', () => {
  const first = failed(readTally(0), 10_000)
  expect(first).toEqual({ attempts: 1, dueAt: 11_000, cutOff: 0, rested: 0 })
  expect(failed(first, 11_000)).toEqual({ attempts: 2, dueAt: 13_000, cutOff: 0, rested: 0 })
})

test('a thousand events that wake it change neither count nor schedule', () => {
  let tally = failed(readTally(0), 10_000)
  for (let n = 0; n < 1_000; n += 1) {
    expect(isWoken(tally, 10_001)).toBe(true)
    tally = failed(tally, 10_001)
  }
  expect(tally).toEqual({ attempts: 1, dueAt: 11_000, cutOff: 0, rested: 0 })
})

test('a woken try that outlasts the schedule is due at once', () => {
  const tally = afterFailure(
    { attempts: 3, dueAt: 5_000, cutOff: 0, rested: 0 },
    { startedAt: 4_000, now: 9_000, firstBackoffMs: 1_000, chance: 1 },
  )
  expect(tally).toEqual({ attempts: 3, dueAt: 9_001, cutOff: 0, rested: 0 })
})

test('what a job carries that is no tally counts as none', () => {
  for (const kept of [0, null, 'x', { attempts: 3 }]) expect(readTally(kept)).toEqual({ attempts: 0, dueAt: 0, cutOff: 0, rested: 0 })
})

test('a run that was cut off costs a rest, each more in a row one twice as long', () => {
  const rests = [1, 2, 3, 4].map((cutOff) => restMs(cutOff, { firstBackoffMs: 1_000, chance: 1 }))
  expect(rests).toEqual([10_000, 20_000, 40_000, 80_000])
})
