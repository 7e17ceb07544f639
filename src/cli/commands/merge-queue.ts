// `bellhop merge-queue`: the merge queues of a running bot, and `simulate`: the planner on a virtual clock.
import { Command, Option } from 'commander'
import type { MergeQueueResponse, MergeQueueSummary } from '../../admin/api/merge-queue-responses.ts'
import type { RunOperation } from '../../admin/api/route.ts'
import type { JournalPage } from '../../journal/types.ts'
import { type ComparedQueue, compareQueues } from '../../merge-queue/simulator/compare.ts'
import { usualWorkload } from '../../merge-queue/simulator/workload.ts'
import { words } from '../../rules/explain/explain.ts'
import { type NamedRef, refName } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import { describeMergeRequest } from '../admin/describe.ts'
import { upTo } from '../admin/list-command.ts'
import { describePast, mostMergeRequests, ratesOf, readJournalPast } from '../admin/merge-queue-past.ts'
import { type AdminFlags, printCommand, routeCommand, withAdmin } from '../admin/route-command.ts'
import { listOf, tableOf } from '../output/table.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { argument, positive, wholeNumber } from '../settings/setting.ts'
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

interface Flags extends AdminFlags {
  project: string
  target: string
}

/** The commands that call a running bot. */
function mergeQueueCommands(): Command[] {
  const change = (operation: string, name: string) =>
    printCommand(operation, {
      name,
      lines: (_, { target }: Flags) => [`The merge queue into ${plain(target)} is ${name}d.`],
    })
  return [
    routeCommand('list_merge_queues', { name: 'list', perform: list }),
    routeCommand('show_merge_queue', { name: 'show', about: aboutShow, args: { target: '[target]' }, perform: show }),
    change('pause_merge_queue', 'pause'),
    change('resume_merge_queue', 'resume'),
    entryCommand('remove_merge_queue_entry', 'remove', 'is removed from'),
    entryCommand('move_merge_queue_entry', 'front', 'is the next in'),
  ]
}

const aboutShow = 'Shows builds, waiting entries and landings of a merge queue, or of all of a project.'

async function list(call: RunOperation, given: AdminFlags): Promise<void> {
  const { items } = await readAll(call, given)
  printAs(given.format, { items }, () => [
    listOf(listHead, items.map(listRow), 'No merge request entered a merge queue yet.'),
  ])
}

const readAll = (call: RunOperation, given: object) =>
  upTo<MergeQueueSummary>(Number.POSITIVE_INFINITY, (limit, after) =>
    call<JournalPage<MergeQueueSummary>>('list_merge_queues', { ...given, limit, after }),
  )

const projectOf = ({ project, path }: NamedRef) => ({ project, path })

const listHead = ['project', 'target', 'state', 'builds', 'tested', 'waiting', 'frozen', 'removed', 'last landing']

const listRow = (queue: MergeQueueSummary) => [
  refName(projectOf(queue)),
  queue.target,
  stateOf(queue),
  `${queue.builds} of ${queue.window}`,
  queue.entries.testing,
  queue.entries.waiting,
  queue.entries.frozen,
  queue.entries.removed,
  queue.lastLanding ?? '',
]

const stateOf = ({ paused }: Pick<MergeQueueSummary, 'paused'>) =>
  paused === null ? 'active' : `paused: ${paused.text}`

async function show(call: RunOperation, given: AdminFlags & { project: string; target?: string }): Promise<void> {
  const { project, target, format } = given
  const targets = target === undefined ? (await readAll(call, given)).items.map((each) => each.target) : [target]
  const queues: MergeQueueResponse[] = []
  for (const each of targets) queues.push(await call<MergeQueueResponse>('show_merge_queue', { project, target: each }))
  printAs(format, queues, () =>
    queues.length === 0
      ? [`No merge request of project ${plain(project)} entered a merge queue yet.`]
      : queues.flatMap(describeQueue),
  )
}

function describeQueue(queue: MergeQueueResponse): string[] {
  const { name, builds, window, paused, landing, waiting, removed, landed } = queue
  return [
    plain(`merge queue ${name ?? ''} of ${refName(projectOf(queue))} into ${queue.target}`.replaceAll('  ', ' ')),
    `  state    ${stateOf(queue)}${paused === null ? '' : `, since ${paused.since}`}`,
    `  window   ${count(window, 'build')} at once`,
    ...(landing === null ? [] : [`  landing  ${namesOf(landing.members)}, since ${landing.since}`]),
    ...part(
      'Builds, each on top of the one before it',
      ['state', 'merge requests', 'lands', 'commit', 'attempts'],
      builds,
      (each) => [
        words(each.state),
        namesOf(each.members),
        each.eta?.text ?? '',
        shortCommit(each.commit),
        each.attempts.map(({ number, state, since = '', link = '' }) => `${number}: ${words(state)} ${since} ${link}`),
      ],
    ),
    ...part('Waiting, the next first', waitingHead, waiting, (each) => [
      each.position,
      describeMergeRequest(each),
      each.since,
      each.priority,
      each.eta?.text ?? '',
      each.waitsFor,
    ]),
    ...part('Removed', ['merge request', 'at', 'reason', 'pipeline'], removed, (each) => [
      describeMergeRequest(each),
      each.at,
      each.text,
      each.link ?? '',
    ]),
    ...part('Last landings', ['at', 'merge requests', 'tested commit'], landed, (each) => [
      each.at,
      namesOf(each.members),
      shortCommit(each.commit),
    ]),
  ]
}

const waitingHead = ['position', 'merge request', 'since', 'priority', 'lands', 'waiting for']

function part<T>(
  title: string,
  head: readonly string[],
  items: readonly T[],
  row: (item: T) => Parameters<typeof tableOf>[1][number],
): string[] {
  return items.length === 0 ? [`${title}: none`] : [`${title}:`, tableOf(head, items.map(row))]
}

const namesOf = (members: readonly NamedRef[]) => members.map(describeMergeRequest).join(', ')
const shortCommit = (commit = '') => commit.slice(0, 12)

function entryCommand(operation: string, name: string, outcome: string): Command {
  return routeCommand<Flags & { iid?: string }>(operation, {
    name,
    args: { iid: '[iid]' },
    async perform(call, { iid, ...given }) {
      const [, project = given.project, number = iid] = /^(.+)!(\d+)$/.exec(given.project) ?? []
      if (number === undefined)
        throw new UsageError('Name a merge request: its number after the target branch, or such as hotel/app!12.')
      if (iid !== undefined && number !== iid)
        throw new UsageError(`${given.project} and ${iid} are two merge requests.`)
      const response = await call<NamedRef>(operation, { ...given, project, iid: number })
      printAs(given.format, response, () => [
        `${describeMergeRequest(response)} ${outcome} the merge queue into ${plain(given.target)}.`,
      ])
    },
  }).addHelpText('after', `\nExample:\n  $ bellhop merge-queue ${name} hotel/app!12 main`)
}
