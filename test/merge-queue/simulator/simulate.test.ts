// The real planner on a virtual clock: the figures of the design of the queue.
import { defaultSettings } from '../../../src/merge-queue/simulator/compare.ts'
import { oracle, simulate } from '../../../src/merge-queue/simulator/simulate.ts'
import { createWorkload, usualWorkload } from '../../../src/merge-queue/simulator/workload.ts'

const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length

describe('the default queue', () => {
  const runs = Array.from({ length: 8 }, (_, seed) => {
    const workload = createWorkload({ ...usualWorkload, seed: seed + 1 })
    return { queue: simulate(workload, defaultSettings), best: oracle(workload) }
  })
  const ratio = (of: 'mergedPerHour' | 'waitP50' | 'waitP95' | 'pipelineMinutesPerMerge') =>
    mean(runs.map(({ queue, best }) => queue[of] / best[of]))

  test('is nearly as fast as one that knows every result before', () => {
    expect(ratio('mergedPerHour')).toBeGreaterThanOrEqual(0.98)
    expect(ratio('waitP50')).toBeLessThanOrEqual(1.3)
    expect(ratio('waitP95')).toBeLessThanOrEqual(2.5)
    expect(ratio('pipelineMinutesPerMerge')).toBeLessThanOrEqual(1.4)
  })

  test('merges or removes every merge request, and removes hardly a good one', () => {
    for (const { queue } of runs) expect(queue.merged + queue.removed + queue.removedGood).toBe(usualWorkload.count)
    expect(mean(runs.map(({ queue }) => queue.removedGood / usualWorkload.count))).toBeLessThanOrEqual(0.001)
  })

  test('keeps 0.9 of the throughput with three times the failures', () => {
    const often = { ...usualWorkload, bad: 0.03, flaky: 0.06, conflicts: 0.003 }
    const ratios = [1, 2, 3, 4].map((seed) => {
      const workload = createWorkload({ ...often, seed })
      return simulate(workload, defaultSettings).mergedPerHour / oracle(workload).mergedPerHour
    })
    expect(mean(ratios)).toBeGreaterThanOrEqual(0.9)
  })
})

test('a queue without failures merges each when its pipeline ends', () => {
  const workload = createWorkload({ ...usualWorkload, arrivals: 2, bad: 0, flaky: 0, conflicts: 0, seed: 1 })
  expect(simulate(workload, defaultSettings)).toMatchObject({ merged: 400, waitP50: usualWorkload.pipelineMs })
})
