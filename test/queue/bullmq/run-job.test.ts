// A claim asks the backend whenever one of the clocks leaves a doubt.
import { expect, test } from 'vitest'
import { createClaim } from '../../../src/queue/bullmq/run-job.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'

const lockMs = 1_000

/** The answers of the backend; each may take time. */
function claimed(...answers: { is: boolean; tookMs?: number }[]) {
  const time = { wall: 1_000_000, steady: 5_000 }
  let asked = 0
  const renew = async () => {
    const { is, tookMs = 0 } = answers[asked] ?? { is: true }
    asked += 1
    time.wall += tookMs
    time.steady += tookMs
    return is
  }
  const claim = createClaim({ job: 'j', renew, lockMs, clocks: () => [time.wall, time.steady] })
  return { claim, time, asked: () => asked }
}

test('the backend is asked at first, and again after half of the lock', async () => {
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
