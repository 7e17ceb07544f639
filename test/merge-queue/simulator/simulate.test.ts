// The real planner on a virtual clock: the figures of the design of the queue.
import { defaultSettings } from '../../../src/merge-queue/simulator/compare.ts'
import { oracle, simulate } from '../../../src/merge-queue/simulator/simulate.ts'
import {
  createWorkload,
  undisturbed,
  usualWorkload,
  type WorkloadOptions,
} from '../../../src/merge-queue/simulator/workload.ts'

const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length

describe('the default queue', () => {
  const runs = Array.from({ length: 8 }, (_, seed) => {
    const workload = createWorkload({ ...usualWorkload, ...undisturbed, seed: seed + 1 })
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
    const often = { ...usualWorkload, ...undisturbed, bad: 0.03, flaky: 0.06, conflicts: 0.003 }
    const ratios = [1, 2, 3, 4].map((seed) => {
      const workload = createWorkload({ ...often, seed })
      return simulate(workload, defaultSettings).mergedPerHour / oracle(workload).mergedPerHour
    })
    expect(mean(ratios)).toBeGreaterThanOrEqual(0.9)
  })
})

test('a queue without failures merges each when its pipeline ends', () => {
  const workload = createWorkload({
    ...usualWorkload,
    ...undisturbed,
    arrivals: 2,
    bad: 0,
    flaky: 0,
    conflicts: 0,
    seed: 1,
  })
  expect(simulate(workload, defaultSettings)).toMatchObject({ merged: 400, waitP50: usualWorkload.pipelineMs })
})

describe('under adversity', () => {
  const seeds = [1, 2, 3, 4]
  const compared = (options: Partial<WorkloadOptions>) => {
    const runs = seeds.map((seed) => {
      const workload = createWorkload({ ...usualWorkload, ...options, seed })
      return { queue: simulate(workload, defaultSettings), best: oracle(workload) }
    })
    return {
      throughput: mean(runs.map(({ queue, best }) => queue.mergedPerHour / best.mergedPerHour)),
      removedGood: mean(runs.map(({ queue }) => queue.removedGood / queue.merged)),
      runs,
    }
  }

  test('it merges as many as an oracle with the same runners and the same target', () => {
    expect(compared({}).throughput).toBeGreaterThanOrEqual(0.98)
    expect(compared({ runners: 6 }).throughput).toBeGreaterThanOrEqual(0.95)
  })

  test.each([0.05, 0.1])('when %s of the pipelines fail by chance, it removes hardly a good one', (flaky) => {
    const { throughput, removedGood } = compared({ flaky })
    expect(throughput).toBeGreaterThanOrEqual(0.95)
    expect(removedGood).toBeLessThanOrEqual(0.001)
  })

  test('at 40 an hour, it merges nearly as many as the oracle', () => {
    expect(compared({ arrivals: 40 }).throughput).toBeGreaterThanOrEqual(0.95)
  })

  test('a red target, and pushes just before a landing, cost no merge request its place', () => {
    const fate = compared({ pushes: 4, red: 0.5, bad: 0, flaky: 0, conflicts: 0, pairs: 0 })
    for (const { queue } of fate.runs) expect(queue).toMatchObject({ merged: 400, removed: 0, removedGood: 0 })
  })

  test('pairs that are red together lose one of the two', () => {
    const { runs } = compared({ pairs: 0.01, bad: 0, flaky: 0, conflicts: 0, pushes: 0 })
    for (const { queue } of runs) expect([queue.removed > 0, queue.removedGood]).toEqual([true, 0])
  })

  test('no more pipelines run at once than there are runners', () => {
    const one = { runners: 1, arrivals: 1, bad: 0, flaky: 0, conflicts: 0, pairs: 0, pushes: 0, count: 50 }
    const [slow, free] = [one, { ...one, runners: 50 }].map((options) => compared(options).runs[0]?.queue)
    expect(slow?.waitP95).toBeGreaterThan(Number(free?.waitP95))
    expect(slow?.merged).toBe(50)
  })
})
