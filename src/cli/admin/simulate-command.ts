// `bellhop merge-queue simulate`: the planner on a virtual clock, by default settings and by yours.
import { Command, Option } from 'commander'
import { type ComparedQueue, compareQueues, defaultSettings } from '../../merge-queue/simulator/compare.ts'
import { usualWorkload } from '../../merge-queue/simulator/workload.ts'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import { tableOf } from '../output/table.ts'
import { printAs } from '../output/terminal-text.ts'
import { readText } from '../read-text.ts'
import { argument, positive, whole, wholeNumber } from '../settings/setting.ts'
import { UsageError } from '../user-error.ts'
import { describePast, mostMergeRequests, ratesOf, readJournalPast } from './merge-queue-past.ts'
import { type AdminFlags, withAdmin } from './route-command.ts'

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
  pairs: number
  red: number
  pushes: number
  step: number
  runners?: number
  rules?: string
  speculate?: number
  batch?: number
  retries?: number
}

const about = `
Merge requests arrive at random times and enter four queues: the default one, one that tests them one after the other, one that tests
batches and divides those that fail, and an oracle that knows every result before. The same seed gives the same figures. The simulation
ends with exit code 1 if the target would become a state that was not tested.

Landings and git take time (--step), pipelines may wait for runners (--runners), people push to the target (--pushes), which may turn it
red (--red), and pairs are red together (--pairs). The oracle has the same limits. --rules, or --speculate, --batch and --retries, add a
fifth queue: yours.

--from-journal replays what a running bot stored of a project, for 30 days by default: when the merge requests that were merged had their
last approval or green pipeline, how long pipelines took, how many failed by chance (another pipeline of the commit was green), and how
often the target became red (--bad). --bad and --flaky replace what it finds.

Examples:
  $ bellhop merge-queue simulate --arrivals 12 --pipeline 15 --bad 1 --flaky 2 --conflicts 0.1
  $ bellhop merge-queue simulate --arrivals 40 --runners 20 --speculate 20
  $ bellhop merge-queue simulate --rules .bellhop.yml
  $ bellhop merge-queue simulate --from-journal hotel/app`

/** A number from 0 to `most`. */
function numberTo(most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= 0 && value <= most)) throw new Error(`a number from 0 to ${most}`)
    return value
  }
}

const percent = (text: string) => numberTo(100)(text) / 100
const number = numberTo(1000)

const share = (name: 'bad' | 'flaky' | 'conflicts' | 'pairs' | 'red', about: string) =>
  new Option(`--${name} <percent>`, about)
    .argParser(argument(percent))
    .default(usualWorkload[name], String(usualWorkload[name] * 100))

/** `bellhop merge-queue simulate`. */
export function simulateCommand(): Command {
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
    .addOption(share('pairs', 'pairs that are red together, though each is green'))
    .addOption(share('red', 'pushes that turn the target red for half an hour'))
    .option('--pushes <number>', 'pushes of people to the target, an hour', argument(number), usualWorkload.pushes)
    .option('--step <seconds>', 'how long a landing takes, and the git of a build', argument(number), 2)
    .option('--runners <number>', 'pipelines that run at once (default: without a limit)', argument(positive))
    .option('--rules <file>', 'also your queue: the first of this rule file')
    .option('--speculate <number>', 'also your queue: builds at once', argument(whole(1, 20)))
    .option('--batch <number>', 'also your queue: merge requests of one build', argument(whole(1, 20)))
    .option('--retries <number>', 'also your queue: how often a red build is repeated', argument(whole(0, 5)))
  return withAdmin(simulate).addHelpText('after', about).action(run)
}

async function run(flags: SimulateFlags, command: Command): Promise<void> {
  const { fromJournal, target, pipeline, format, arrivals, bad, flaky, conflicts, count, seed } = flags
  if (count > mostMergeRequests)
    throw new UsageError(`--count: at most ${mostMergeRequests} merge requests are simulated.`)
  const { pairs, red, pushes, step, runners = Number.POSITIVE_INFINITY } = flags
  const rates = { arrivals, bad, flaky, conflicts, pairs, red, pushes }
  const workload = { ...rates, count, seed, pipelineMs: pipeline * minuteMs, stepMs: step * 1000, runners }
  const yours = await settingsOf(flags)
  if (fromJournal === undefined) {
    if (target !== undefined) throw new UsageError('--target needs --from-journal.')
    const queues = compareQueues(workload, yours)
    return printAs(format, queues, () => [tableOf(head, queues.map(row)), ...picture(queues)])
  }
  const past = await readJournalPast(flags, fromJournal, target)
  const found = ratesOf(past, workload, (name) => command.getOptionValueSource(name) === 'cli')
  const [first = 0] = past.arrivals
  const queues = compareQueues(
    {
      ...workload,
      bad: found.bad.share,
      flaky: found.flaky.share,
      past: { arrivals: past.arrivals.map((at) => at - first), pipelines: past.pipelines },
    },
    yours,
  )
  const json = { project: past.project, target: past.target, since: past.since, ...found, queues }
  printAs(format, { ...json, mergeRequests: past.arrivals.length, pipelines: past.pipelines.length }, () => [
    ...describePast(past, found),
    tableOf(head, queues.map(row)),
    ...picture(queues),
  ])
}

/** The default queue with what the flags change, or that of a rule file; undefined if they name neither. */
async function settingsOf({ rules: file, speculate, batch, retries }: SimulateFlags) {
  if ([file, speculate, batch, retries].every((each) => each === undefined)) return undefined
  const read = file === undefined ? undefined : readRules(await readText(file), file, { trust: 'operator' })
  if (read?.ok === false) throw new UsageError(read.problems.map(formatProblem).join('\n'))
  const [queue] = read?.rules.queues ?? []
  if (read !== undefined && queue === undefined) throw new UsageError(`${file} has no queues.`)
  if (queue?.test === 'rebase') throw new UsageError(`${file}: a queue with test: rebase is not simulated.`)
  const { land, batch: batches, ...settings } = queue ?? defaultSettings
  return {
    ...settings,
    ...(speculate === undefined ? {} : { speculate: { least: speculate, most: speculate } }),
    ...(retries === undefined ? {} : { retries }),
    batch: { ...batches, ...(batch === undefined ? {} : { most: batch }) },
    land: batch === undefined || batch === 1 ? land : ('push' as const),
  }
}

const widest = 40

/** How many each merges an hour, and how long 95 % wait at most. */
function picture(queues: readonly ComparedQueue[]): string[] {
  const bars = (title: string, of: (queue: ComparedQueue) => number, text: (value: number) => string) => {
    const most = Math.max(...queues.map(of))
    const line = (each: ComparedQueue) =>
      `  ${each.queue.padEnd(19)} ${'█'.repeat(Math.round((of(each) / most) * widest))} ${text(of(each))}`
    return ['', `${title}:`, ...queues.map(line)]
  }
  return [
    ...bars(
      'merged an hour',
      ({ mergedPerHour }) => mergedPerHour,
      (value) => value.toFixed(1),
    ),
    ...bars('wait P95', ({ waitP95 }) => waitP95, minutes),
  ]
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
