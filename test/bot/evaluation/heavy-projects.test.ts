// Evaluations of projects whose patterns exceed their budget have turns; those of other projects run at once.
import { createHeavyProjects } from '../../../src/bot/evaluation/evaluate.ts'

const clock = () => {
  const at = { now: 1_000 }
  const heavy = createHeavyProjects(() => at.now)
  return { at, heavy, waitOf: (iid: number, project = 7) => heavy.waitMs({ project, iid }) }
}

test('each merge request of a heavy project has a turn of its own, and keeps it', () => {
  const { at, heavy, waitOf } = clock()
  expect(waitOf(1)).toBe(0)
  heavy.add(7)
  expect([1, 2, 3].map((iid) => waitOf(iid))).toEqual([1000, 2000, 3000])
  at.now += 1_600
  expect([1, 2, 3].map((iid) => waitOf(iid))).toEqual([0, 400, 1400])
  // It has had its turn.
  expect(waitOf(1)).toBe(2400)
})

test('another project waits for nothing', () => {
  const { heavy, waitOf } = clock()
  heavy.add(7)
  expect(waitOf(1, 8)).toBe(0)
})

test('a project is heavy for a minute after the last time', () => {
  const { at, heavy, waitOf } = clock()
  heavy.add(7)
  at.now += 59_999
  heavy.add(7)
  at.now += 59_999
  expect([waitOf(1), waitOf(2)]).toEqual([0, 1_000])
  at.now += 60_000
  expect([waitOf(1), waitOf(2)]).toEqual([0, 0])
})
