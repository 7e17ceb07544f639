// `bellhop merge-queue simulate`: the planner on a virtual clock, by default settings and by yours.
import { Command, Option } from 'commander'
import { type ComparedQueue, compareQueues, defaultSettings } from '../../merge-queue/simulator/compare.ts'
import { usualWorkload, type WorkloadOptions } from '../../merge-queue/simulator/workload.ts'
import type { MergeQueueSettings } from '../../merge-queue/types.ts'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import { tableOf } from '../output/table.ts'
import { printAs } from '../output/terminal-text.ts'
import { readText } from '../read-text.ts'
import { argument, positive, whole, wholeNumber } from '../settings/setting.ts'
import { UsageError } from '../user-error.ts'
import { describePast, mostMergeRequests, ratesOf, readJournalPast } from './merge-queue-past.ts'
import { type AdminFlags, withAdmin } from './route-command.ts'

interface SimulateFlags extends AdminFlags, Omit<WorkloadOptions, 'pipelineMs' | 'stepMs' | 'runners' | 'past'> {
  fromJournal?: string
  target?: string
  pipeline: number
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

The oracle has the same runners, pushes and landing times. --rules, or --speculate, --batch and --retries, add a fifth queue: yours.

--from-journal replays what a running bot stored of a project, for 30 days by default: when the merge requests that were merged had their
last approval or green pipeline, how long pipelines took, how many failed by chance (another pipeline of the commit was green), and how
often the target became red (--bad). --bad and --flaky replace what it finds.

Examples:
  $ bellhop merge-queue simulate --arrivals 12 --pipeline 15 --bad 1 --flaky 2 --conflicts 0.1
  $ bellhop merge-queue simulate --arrivals 40 --runners 20 --speculate 20
  $ bellhop merge-queue simulate --rules .bellhop.yml
  $ bellhop merge-queue simulate --from-journal hotel/app`

const numberTo = (most: number, unit = 1) =>
  argument((text: string) => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= 0 && value <= most)) throw new Error(`a number from 0 to ${most}`)
    return value * unit
  })
const number = numberTo(1000)

const share = (name: 'bad' | 'flaky' | 'conflicts' | 'pairs' | 'red', about: string) =>
  new Option(`--${name} <percent>`, about)
    .argParser(numberTo(100, 0.01))
    .default(usualWorkload[name], String(usualWorkload[name] * 100))

/** What the past says. */
const replaced = ['arrivals', 'pipeline', 'count']

/** `bellhop merge-queue simulate`. */
export function simulateCommand(): Command {
  const simulate = new Command('simulate')
    .description('show how long merge requests would wait in a merge queue, and what their pipelines would cost')
    .addOption(
      new Option('--from-journal <project>', 'replay the past of this project (id or path)').conflicts(replaced),
    )
    .option('--target <branch>', 'with --from-journal: merges into it (default: where most are)')
    .option('--arrivals <number>', 'merge requests an hour', argument(positive), usualWorkload.arrivals)
    .option('--pipeline <minutes>', 'duration of a pipeline', argument(positive), usualWorkload.pipelineMs / minuteMs)
    .addOption(share('bad', 'merge requests that are red together with others'))
    .addOption(share('flaky', 'pipelines that fail by chance'))
    .addOption(share('conflicts', 'pairs that cannot be merged together'))
    .option('--count <number>', 'merge requests in all', argument(whole(1, mostMergeRequests)), usualWorkload.count)
    .option('--seed <number>', 'where the random numbers begin', argument(wholeNumber), usualWorkload.seed)
    .addOption(share('pairs', 'pairs that are red together, though each is green'))
    .addOption(share('red', 'pushes that turn the target red for half an hour'))
    .option('--pushes <number>', 'pushes of people to the target, an hour', number, usualWorkload.pushes)
    .option('--step <seconds>', 'how long a landing takes, and the git of a build', number, 2)
    .option('--runners <number>', 'pipelines that run at once (default: without a limit)', argument(positive))
    .option('--rules <file>', 'also your queue: the first of this rule file')
    .option('--speculate <number>', 'also your queue: builds at once', argument(whole(1, 20)))
    .option('--batch <number>', 'also your queue: merge requests of one build', argument(whole(1, 20)))
    .option('--retries <number>', 'also your queue: how often a red build is repeated', argument(whole(0, 5)))
  return withAdmin(simulate).addHelpText('after', about).action(run)
}

async function run(flags: SimulateFlags, command: Command): Promise<void> {
  const { fromJournal, target, pipeline, step, format, runners = Number.POSITIVE_INFINITY } = flags
  if (fromJournal === undefined && target !== undefined) throw new UsageError('--target needs --from-journal.')
  const workload = { ...flags, pipelineMs: pipeline * minuteMs, stepMs: step * 1000, runners }
  const yours = await settingsOf(flags)
  const shown = (queues: readonly ComparedQueue[]) => [tableOf(head, queues.map(row)), '', ...picture(queues)]
  if (fromJournal === undefined) {
    const queues = compareQueues(workload, yours)
    return printAs(format, queues, () => shown(queues))
  }
  const past = await readJournalPast(flags, fromJournal, target)
  const found = ratesOf(past, workload, (name) => command.getOptionValueSource(name) === 'cli')
  const { project, since, arrivals, pipelines } = past
  const replayed = { arrivals: arrivals.map((at) => at - (arrivals[0] ?? 0)), pipelines }
  const queues = compareQueues({ ...workload, bad: found.bad.share, flaky: found.flaky.share, past: replayed }, yours)
  const counts = { mergeRequests: arrivals.length, pipelines: pipelines.length }
  const json = { project, target: past.target, since, ...found, queues, ...counts }
  printAs(format, json, () => [...describePast(past, found), ...shown(queues)])
}

/** The default queue with what the flags change, or that of a rule file; undefined if they name neither. */
async function settingsOf(flags: SimulateFlags): Promise<MergeQueueSettings | undefined> {
  const { rules: file, speculate, batch, retries } = flags
  if ([file, speculate, batch, retries].every((each) => each === undefined)) return undefined
  const read = file === undefined ? undefined : readRules(await readText(file), file, { trust: 'operator' })
  if (read?.ok === false) throw new UsageError(read.problems.map(formatProblem).join('\n'))
  const [queue] = read?.rules.queues ?? []
  if (read !== undefined && queue === undefined) throw new UsageError(`${file} has no queues.`)
  if (queue?.test === 'rebase') throw new UsageError(`${file}: a queue with test: rebase is not simulated.`)
  const settings = { ...(queue ?? defaultSettings), ...(retries === undefined ? {} : { retries }) }
  if (speculate !== undefined) settings.speculate = { least: speculate, most: speculate }
  if (batch === undefined) return settings
  return { ...settings, batch: { ...settings.batch, most: batch }, land: batch === 1 ? settings.land : 'push' }
}

/** How long 95 % wait at most. */
function picture(queues: readonly ComparedQueue[]): string[] {
  const most = Math.max(...queues.map(({ waitP95 }) => waitP95))
  const bar = (ms: number) => '█'.repeat(Math.round((ms / most) * 40))
  return ['wait P95:', ...queues.map(({ queue, waitP95: ms }) => `  ${queue.padEnd(19)} ${bar(ms)} ${minutes(ms)}`)]
}

const head = ['queue', 'merged', 'an hour', 'wait P50', 'wait P95', 'pipeline min per merge', 'good ones removed']
const minuteMs = 60_000
const minutes = (ms: number) => `${(ms / minuteMs).toFixed(0)} min`

const row = ({ queue, merged, mergedPerHour, waitP50, waitP95, ...each }: ComparedQueue) => [
  ...[queue, merged, mergedPerHour.toFixed(1), minutes(waitP50), minutes(waitP95)],
  ...[each.pipelineMinutesPerMerge.toFixed(1), each.removedGood],
]
