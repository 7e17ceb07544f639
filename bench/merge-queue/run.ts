// Measures the planner of the merge queue in its simulator, beside other queues and an oracle that knows every result;
// whether it lands what was not tested; and how long a plan takes.
import fc from 'fast-check'
import { type ComparedQueue, compareQueues } from '../../src/merge-queue/simulator/compare.ts'
import { undisturbed, usualWorkload } from '../../src/merge-queue/simulator/workload.ts'
import { QueueWorld } from '../../test/merge-queue/queue-world.ts'
import { history, live } from '../../test/merge-queue/random-history.ts'
import { type Bench, median, type Row, rowOf } from '../row.ts'

const seedsPerRound = { whole: 4, part: 1 }
const stepsPerRound = { whole: 200_000, part: 40_000 }
const historiesAtOnce = 500
const failuresTrebled = { bad: 0.03, flaky: 0.06, conflicts: 0.003 }
const entries = 200
const mostPlanMs = 5
const mostRemovedPercent = 0.1
const minuteMs = 60_000

type Queue = ComparedQueue['queue']
type Figure = (of: ComparedQueue) => number
const measures: readonly (Pick<Row, 'what' | 'unit' | 'aim'> & { figure: Figure })[] = [
  { what: 'merged', unit: '/h', aim: { least: 0.98 }, figure: ({ mergedPerHour }) => mergedPerHour },
  { what: 'wait, P50', unit: 'min', aim: { most: 1.3 }, figure: ({ waitP50 }) => waitP50 / minuteMs },
  { what: 'wait, P95', unit: 'min', aim: { most: 2.5 }, figure: ({ waitP95 }) => waitP95 / minuteMs },
  {
    what: 'pipelines for a merge',
    unit: 'min',
    aim: { most: 1.4 },
    figure: ({ pipelineMinutesPerMerge }) => pipelineMinutesPerMerge,
  },
]

export const bench: Bench = {
  about:
    'merges, waits and pipelines of the merge queue in its simulator, beside other queues and an oracle; that only what was tested lands; one plan of 200 entries',
  async measure({ rounds, say, part }) {
    const size = part ? 'part' : 'whole'
    const seeds = Array.from({ length: rounds * seedsPerRound[size] }, (_, index) => index + 1)
    const usual = seeds.map((seed) => compareQueues({ ...usualWorkload, ...undisturbed, seed }))
    const often = seeds.map((seed) => compareQueues({ ...usualWorkload, ...undisturbed, ...failuresTrebled, seed }))
    say(`${seeds.length} seeds of ${usualWorkload.count} merge requests, ${usualWorkload.arrivals} an hour`)
    const merged = seeds.map((_, index): [number, number] => [
      inRun(often[index], 'default').mergedPerHour,
      inRun(usual[index], 'default').mergedPerHour,
    ])
    const trebled = { what: 'merged, failures trebled', beside: 'usual failures', aim: { least: 0.9 } }
    return [
      ...besideOracle(usual, '', true),
      ...besideOracle(often, ', failures trebled', false),
      rowOf({ name: 'default', ...trebled, unit: '/h' }, merged),
      checkedSteps(rounds * stepsPerRound[size]),
      planTime(rounds),
    ]
  },
}

function inRun(run: readonly ComparedQueue[] = [], queue: Queue): ComparedQueue {
  const found = run.find((each) => each.queue === queue)
  if (found === undefined) throw new Error(`${queue} was not simulated`)
  return found
}

function besideOracle(runs: readonly ComparedQueue[][], under: string, hasAims: boolean): Row[] {
  const queues = ['default', 'one after the other', 'batches'] as const
  return queues.flatMap((queue) => {
    const aimed = hasAims && queue === 'default'
    const name = `${queue}${under}`
    const rows = measures.map(({ what, unit, aim, figure }) =>
      rowOf(
        { name, what, beside: 'oracle', unit, ...(aimed && aim !== undefined ? { aim } : {}) },
        runs.map((run) => [figure(inRun(run, queue)), figure(inRun(run, 'oracle'))]),
      ),
    )
    // Few are removed: the median of the seeds would be none.
    const removed = runs.reduce((sum, run) => sum + inRun(run, queue).removedGood, 0)
    const percent = (100 * removed) / (runs.length * usualWorkload.count)
    return [
      ...rows,
      rowOf(
        {
          ...{ name, what: 'good ones removed', beside: 'the most to reach', unit: '%' },
          ...(aimed ? { aim: { most: 1 } } : {}),
        },
        [[percent, mostRemovedPercent]],
      ),
    ]
  })
}

/** Throws where something lands that was not tested, or an entry is left. The same histories each time. */
function checkedSteps(wanted: number): Row {
  let steps = 0
  for (let seed = 1; steps < wanted; seed += 1)
    fc.assert(
      fc.property(history, (each) => {
        steps += live(each)
      }),
      { seed, numRuns: historiesAtOnce },
    )
  return rowOf({ name: 'random histories', what: 'steps without a broken invariant', beside: 'steps', unit: '' }, [
    [steps, steps],
  ])
}

/** For a queue that has tested nothing yet: it begins all builds that there may be by default. */
function planTime(rounds: number): Row {
  const world = new QueueWorld({ speculate: { least: 8, most: 8 } })
  world.enter(...Array.from({ length: entries }, (_, index) => index + 1))
  const plansPerRound = 200
  const milliseconds = Array.from({ length: rounds }, () =>
    median(
      Array.from({ length: plansPerRound }, () => {
        const start = performance.now()
        world.plan()
        return performance.now() - start
      }),
    ),
  )
  return rowOf(
    {
      name: `${entries} entries, 8 builds begin`,
      what: 'one plan',
      beside: 'the most to reach',
      unit: 'ms',
      aim: { most: 1 },
    },
    milliseconds.map((each) => [each, mostPlanMs]),
  )
}
