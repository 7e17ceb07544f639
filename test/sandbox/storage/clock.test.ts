// The clock of a sandbox that no test drives.
import { expect, test, vi } from 'vitest'
import { createSystemClock } from '../../../src/sandbox/storage/clock.ts'

test('runs what is due, and nothing after it was closed', async () => {
  const clock = createSystemClock()
  const ran: string[] = []
  clock.schedule(clock.now() + 60_000, () => ran.push('later'))
  await new Promise<void>((resolve) => clock.schedule(clock.now() - 1, resolve))
  clock.schedule(clock.now(), () => ran.push('dropped'))
  clock.close()
  await new Promise<void>((resolve) => clock.schedule(clock.now(), resolve))
  expect(ran).toEqual([])
})

test('runs nothing before its time, although the timer ends early', async () => {
  const clock = createSystemClock()
  const at = clock.now() + 10
  const ran = new Promise<number>((resolve) => clock.schedule(at, () => resolve(Date.now())))
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 20)
  expect(await ran).toBeGreaterThanOrEqual(at)
  vi.restoreAllMocks()
})
