// Counts per key and minute: a minute begins with the first count, and with a clock that is set back.
import { expect, it } from 'vitest'
import { createMinuteCounts } from '../../src/queue/minute-counts.ts'

it('counts each key until its minute is over, and begins anew where the clock is set back', () => {
  let now = 100_000
  const counts = createMinuteCounts<string>(() => now)
  const count = (key: string) => {
    const minute = counts(key)
    minute.count += 1
    return minute.count
  }
  expect([count('a'), count('a'), count('b')]).toEqual([1, 2, 1])
  now += 59_999
  expect(count('a')).toBe(3)
  now += 1
  expect([count('a'), count('b')]).toEqual([1, 1])
  now -= 1
  expect(count('a')).toBe(1)
})
