// The clock of a sandbox that no test drives.
import { createSystemClock } from '../../../src/sandbox/storage/schedule.ts'

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

test('a task of the next year waits with one timer', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const started = vi.spyOn(globalThis, 'setTimeout')
  const clock = createSystemClock()
  let ran = 0
  clock.schedule(clock.now() + 365 * 24 * 60 * 60_000, () => ran++)
  vi.advanceTimersByTime(24 * 60 * 60_000)
  expect([ran, started.mock.calls.length]).toEqual([0, 1])
  vi.advanceTimersByTime(364 * 24 * 60 * 60_000)
  expect(ran).toBe(1)
  clock.close()
})
