// `bellhop merge-queue`: the merge queues of a running bot, and `simulate`: the planner on a virtual clock.
import { Command, Option } from 'commander'
import { type ComparedQueue, compareQueues } from '../../merge-queue/simulator/compare.ts'
import { usualWorkload } from '../../merge-queue/simulator/workload.ts'
import { describePast, mostMergeRequests, ratesOf, readJournalPast } from '../admin/merge-queue-past.ts'
import { mergeQueueCommands } from '../admin/merge-queues.ts'
import { type AdminFlags, withAdmin } from '../admin/route-command.ts'
import { tableOf } from '../output/table.ts'
import { printAs } from '../output/terminal-text.ts'
import { argument } from '../settings/argument.ts'
import { positive, wholeNumber } from '../settings/setting-values.ts'
import { UsageError } from '../user-error.ts'

interface SimulateFlags extends AdminFlags {
  fromJournal?: string
  target?: string
  arrivals: number
  pipeline: number
  bad: number
  flaky: number
  conflicts: number
  count: number
  seed: number
}

const about = `
Merge requests arrive at random times and enter four queues: the default one, one that tests them one after the other, one that tests
batches and divides those that fail, and an oracle that knows every result before. The same seed gives the same figures. The simulation
ends with exit code 1 if the target would become a state that was not tested.

--from-journal replays what a running bot stored of a project, for 30 days by default: when the merge requests that were merged had their
last approval or green pipeline, how long pipelines took, how many failed by chance (another pipeline of the commit was green), and how
often the target became red (--bad). --bad and --flaky replace what it finds.

Examples:
  $ bellhop merge-queue simulate --arrivals 12 --pipeline 15 --bad 1 --flaky 2 --conflicts 0.1
  $ bellhop merge-queue simulate --from-journal hotel/app`

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
    .addOption(
      new Option('--from-journal <project>', 'replay the past of this project (id or path)').conflicts([
        'arrivals',
        'pipeline',
        'count',
      ]),
    )
    .option('--target <branch>', 'with --from-journal: merges into it (default: where most are)')
    .option('--arrivals <number>', 'merge requests an hour', argument(positive), usualWorkload.arrivals)
    .option('--pipeline <minutes>', 'duration of a pipeline', argument(positive), usualWorkload.pipelineMs / minuteMs)
    .addOption(share('bad', 'merge requests that are red together with others'))
    .addOption(share('flaky', 'pipelines that fail by chance'))
    .addOption(share('conflicts', 'pairs that cannot be merged together'))
    .option(
      '--count <number>',
      `merge requests in all, at most ${mostMergeRequests}`,
      argument(positive),
      usualWorkload.count,
    )
    .option('--seed <number>', 'where the random numbers begin', argument(wholeNumber), usualWorkload.seed)
  withAdmin(simulate).addHelpText('after', about).action(run)
  const command = new Command()
  for (const each of [...mergeQueueCommands(), simulate]) command.addCommand(each)
  return command
}

async function run(flags: SimulateFlags, command: Command): Promise<void> {
  const { fromJournal, target, pipeline, format, arrivals, bad, flaky, conflicts, count, seed } = flags
  if (count > mostMergeRequests)
    throw new UsageError(`--count: at most ${mostMergeRequests} merge requests are simulated.`)
  const workload = { arrivals, bad, flaky, conflicts, count, seed, pipelineMs: pipeline * minuteMs }
  if (fromJournal === undefined) {
    if (target !== undefined) throw new UsageError('--target needs --from-journal.')
    const queues = compareQueues(workload)
    return printAs(format, queues, () => [tableOf(head, queues.map(row))])
  }
  const past = await readJournalPast(flags, fromJournal, target)
  const rates = ratesOf(past, workload, (name) => command.getOptionValueSource(name) === 'cli')
  const [first = 0] = past.arrivals
  const queues = compareQueues({
    ...workload,
    bad: rates.bad.share,
    flaky: rates.flaky.share,
    past: { arrivals: past.arrivals.map((at) => at - first), pipelines: past.pipelines },
  })
  const json = { project: past.project, target: past.target, since: past.since, ...rates, queues }
  printAs(format, { ...json, mergeRequests: past.arrivals.length, pipelines: past.pipelines.length }, () => [
    ...describePast(past, rates),
    tableOf(head, queues.map(row)),
  ])
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
