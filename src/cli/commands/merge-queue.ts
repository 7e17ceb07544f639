// `bellhop merge-queue`: the merge queues of a running bot; and `simulate`.
import { Command } from 'commander'
import type { MergeQueueResponse, MergeQueueSummary } from '../../admin/api/merge-queue-responses.ts'
import type { RunOperation } from '../../admin/api/route.ts'
import type { JournalPage } from '../../journal/types.ts'
import { words } from '../../rules/explain/explain.ts'
import { type NamedRef, refName } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import { describeMergeRequest } from '../admin/describe.ts'
import { upTo } from '../admin/list-command.ts'
import { type AdminFlags, printCommand, routeCommand } from '../admin/route-command.ts'
import { simulateCommand } from '../admin/simulate-command.ts'
import { listOf, tableOf } from '../output/table.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { UsageError } from '../user-error.ts'

export function mergeQueue(): Command {
  const command = new Command()
  for (const each of [...mergeQueueCommands(), simulateCommand()]) command.addCommand(each)
  return command
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
