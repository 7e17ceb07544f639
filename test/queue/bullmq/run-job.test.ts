// A claim asks the backend whenever one of the clocks leaves a doubt.
import { createClaim } from '../../../src/queue/bullmq/run-job.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'

const lockMs = 1_000

/** The answers of the backend; each may take time. */
function claimed(...answers: { is: boolean; tookMs?: number }[]) {
  return claimedSince(undefined, ...answers)
}

/** The lock was asked for so many milliseconds before the run. */
function claimedSince(heldMs: number | undefined, ...answers: { is: boolean; tookMs?: number }[]) {
  const time = { wall: 1_000_000, steady: 5_000 }
  const grantedAt = heldMs === undefined ? undefined : time.wall - heldMs
  let asked = 0
  const renew = async () => {
    const { is, tookMs = 0 } = answers[asked] ?? { is: true }
    asked += 1
    time.wall += tookMs
    time.steady += tookMs
    return is
  }
  const claim = createClaim({ job: 'j', renew, lockMs, grantedAt, clocks: () => [time.wall, time.steady] })
  return { claim, time, asked: () => asked }
}

test('a lock that was just granted counts as an answer', async () => {
  const { claim, time, asked } = claimedSince(100)
  await claim()
  time.wall += 399
  time.steady += 399
  await claim()
  expect(asked()).toBe(0)
  time.steady += 1
  await claim()
  expect(asked()).toBe(1)
})

test.each([
  ['the process was frozen before its run began', 500],
  ['the clock was set back before the run began', -1],
])('the lock itself does not count if %s', async (_name, heldMs) => {
  const { claim, asked } = claimedSince(heldMs, { is: false })
  await expect(claim()).rejects.toThrow(JobTakenOver)
  expect(asked()).toBe(1)
})

test('a lock that seems to be of the future never counts, however late it is claimed', async () => {
  const { claim, time } = claimedSince(-60_000, { is: false })
  time.wall += 60_100
  time.steady += 60_100
  await expect(claim()).rejects.toThrow(JobTakenOver)
})

test('without the time of the lock the backend is asked at first, and again after half of the lock', async () => {
  const { claim, time, asked } = claimed()
  await claim()
  time.wall += 499
  time.steady += 499
  await claim()
  expect(asked()).toBe(1)
  time.steady += 1
  await claim()
  expect(asked()).toBe(2)
})

test.each([
  ['the machine slept', { wall: 60_000, steady: 0 }],
  ['the process was frozen', { wall: 60_000, steady: 60_000 }],
  ['the clock was set back meanwhile', { wall: -60_000, steady: 60_000 }],
  ['the clock was set back', { wall: -1, steady: 0 }],
])('the backend is asked again when %s', async (_name, gap) => {
  const { claim, time } = claimed({ is: true }, { is: false })
  await claim()
  time.wall += gap.wall
  time.steady += gap.steady
  await expect(claim()).rejects.toThrow(JobTakenOver)
})

test('a late answer does not count', async () => {
  const { claim, asked } = claimed({ is: true, tookMs: 60_000 }, { is: false })
  await expect(claim()).rejects.toThrow(JobTakenOver)
  expect(asked()).toBe(2)
})

test('a lost job stays lost', async () => {
  const { claim, asked } = claimed({ is: false }, { is: true })
  await expect(claim()).rejects.toThrow(JobTakenOver)
  await expect(claim()).rejects.toThrow(JobTakenOver)
  expect(asked()).toBe(1)
})

test('an unreachable backend is an error, and is asked again', async () => {
  let isAway = true
  const renew = async () => {
    if (isAway) throw new Error('away')
    return true
  }
  const claim = createClaim({ job: 'j', renew, lockMs })
  await expect(claim()).rejects.toThrow('away')
  isAway = false
  await claim()
})
