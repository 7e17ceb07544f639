// `bellhop merge-queue`: the merge queues of a running bot, and `simulate`: the planner on a virtual clock.
import { Command, Option } from 'commander'
import { type ComparedQueue, compareQueues } from '../../merge-queue/simulator/compare.ts'
import { usualWorkload } from '../../merge-queue/simulator/workload.ts'
import { addMergeQueueCommands } from '../admin/merge-queues.ts'
import { formatOption } from '../output/format-option.ts'
import { tableOf } from '../output/table.ts'
import { printJson } from '../output/terminal-text.ts'
import { argument } from '../settings/argument.ts'
import { positive, wholeNumber } from '../settings/setting-values.ts'
import { UsageError } from '../user-error.ts'

interface SimulateFlags {
  arrivals: number
  pipeline: number
  bad: number
  flaky: number
  conflicts: number
  count: number
  seed: number
  format: 'text' | 'json'
}

const about = `
Merge requests arrive at random times and enter four queues: the default one, one that tests them one after the other, one that tests
batches and divides those that fail, and an oracle that knows every result before. The same seed gives the same figures. The simulation
ends with exit code 1 if the target would become a state that was not tested.

Example:
  $ bellhop merge-queue simulate --arrivals 12 --pipeline 15 --bad 1 --flaky 2 --conflicts 0.1`

/** A number from 0 to 100, as a share from 0 to 1. */
function percent(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 100)) throw new Error('a number from 0 to 100')
  return value / 100
}

const share = (name: 'bad' | 'flaky' | 'conflicts', about: string) =>
  new Option(`--${name} <percent>`, about)
    .argParser(argument(percent))
    .default(usualWorkload[name], String(usualWorkload[name] * 100))

export function mergeQueue(): Command {
  const simulate = new Command('simulate')
    .description('show how long merge requests would wait in a merge queue, and what their pipelines would cost')
    .option('--arrivals <number>', 'merge requests an hour', argument(positive), usualWorkload.arrivals)
    .option('--pipeline <minutes>', 'duration of a pipeline', argument(positive), usualWorkload.pipelineMs / minuteMs)
    .addOption(share('bad', 'merge requests that are red together with others'))
    .addOption(share('flaky', 'pipelines that fail by chance'))
    .addOption(share('conflicts', 'pairs that cannot be merged together'))
    .option('--count <number>', 'merge requests in all, at most 2000', argument(positive), usualWorkload.count)
    .option('--seed <number>', 'where the random numbers begin', argument(wholeNumber), usualWorkload.seed)
    .addOption(formatOption())
    .addHelpText('after', about)
    .action(run)
  const command = new Command()
  addMergeQueueCommands(command)
  return command.addCommand(simulate)
}

function run({ pipeline, format, ...workload }: SimulateFlags): void {
  if (workload.count > 2000) throw new UsageError('--count: at most 2000 merge requests are simulated.')
  const queues = compareQueues({ ...workload, pipelineMs: pipeline * minuteMs })
  if (format === 'json') printJson(queues)
  else process.stdout.write(`${tableOf(head, queues.map(row))}\n`)
}

const head = ['queue', 'merged', 'an hour', 'wait P50', 'wait P95', 'pipeline min per merge', 'good ones removed']
const minuteMs = 60_000
const minutes = (ms: number) => `${(ms / minuteMs).toFixed(0)} min`

function row({ queue, merged, mergedPerHour, waitP50, waitP95, pipelineMinutesPerMerge, removedGood }: ComparedQueue) {
  return [
    queue,
    merged,
    mergedPerHour.toFixed(1),
    minutes(waitP50),
    minutes(waitP95),
    pipelineMinutesPerMerge.toFixed(1),
    removedGood,
  ]
}
