// `bellhop merge-queue list|show|pause|resume|remove|front`: the merge queues of a running bot.
import type { Command } from 'commander'
import type {
  MergeQueueResponse,
  MergeQueueSummary,
  MergeQueuesResponse,
} from '../../admin/api/merge-queue-responses.ts'
import { words } from '../../rules/explain/explain.ts'
import { type NamedRef, refName } from '../../rules/explain/ref-name.ts'
import { count } from '../../rules/language/values/wording.ts'
import { tableOf } from '../output/table.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { UsageError } from '../user-error.ts'
import { type AdminClient, createAdminClient } from './admin-client.ts'
import { type AdminFlags, withAdmin } from './admin-options.ts'
import { describeMergeRequest } from './describe.ts'

interface ListFlags extends AdminFlags {
  project?: string
}
interface ChangeFlags extends AdminFlags {
  why?: string
}

const project = ['<project>', 'id or path of the project'] as const
const projectOrMergeRequest = [
  '<project>',
  'id or path of the project, or a merge request such as hotel/app!12',
] as const
const target = ['<target>', 'target branch of the merge queue'] as const
const iid = ['[iid]', 'the merge request: its number, or such as hotel/app!12'] as const

/** Adds the commands that call a running bot. */
export function addMergeQueueCommands(command: Command): void {
  const add = (name: string, about: string) => withAdmin(command.command(name).description(about))
  const addChange = (name: string, about: string, of: readonly [string, string] = project) =>
    add(name, about)
      .option('--why <reason>', 'for the audit log')
      .argument(...of)
      .argument(...target)
  add('list', 'list the merge queues of a running bot')
    .option('--project <id or path>', 'only those of this project')
    .action(list)
  add('show', 'show builds, waiting entries and landings of a merge queue, or of all of a project')
    .argument(...project)
    .argument('[target]', 'target branch')
    .action(show)
  addChange('pause', 'land and build nothing until the merge queue is resumed').action(pauseOrResume('pause'))
  addChange('resume', 'resume a merge queue; what it has not landed is built anew').action(pauseOrResume('resume'))
  addChange('remove', 'remove a merge request from a merge queue, until its next push', projectOrMergeRequest)
    .argument(...iid)
    .action(changeEntry('remove', 'is removed from'))
  addChange('front', 'move a merge request before all that are not tested yet', projectOrMergeRequest)
    .argument(...iid)
    .action(changeEntry('front', 'is the next in'))
}

async function list({ project: id, ...flags }: ListFlags): Promise<void> {
  const items = await readAll(createAdminClient(flags), id)
  printAs(flags.format, { items }, () =>
    items.length === 0 ? ['No merge request entered a merge queue yet.'] : [tableOf(listHead, items.map(listRow))],
  )
}

async function readAll(admin: AdminClient, id: string | undefined): Promise<MergeQueueSummary[]> {
  const items: MergeQueueSummary[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const query = new URLSearchParams({
      ...{ limit: '200', ...(id === undefined ? {} : { project: id }) },
      ...(after === '' ? {} : { after }),
    })
    const page = (await admin.get(`/merge-queues?${query}`)) as MergeQueuesResponse
    items.push(...page.items)
    after = page.next
  }
  return items
}

const projectOf = ({ project, path }: NamedRef) => ({ project, path })

const listHead = ['project', 'target', 'state', 'builds', 'tested', 'waiting', 'frozen', 'removed', 'last landing']

const listRow = (queue: MergeQueueSummary) => [
  ...[
    refName(projectOf(queue)),
    queue.target,
    stateOf(queue),
    `${queue.builds} of ${queue.window}`,
    queue.entries.testing,
  ],
  ...[queue.entries.waiting, queue.entries.frozen, queue.entries.removed, queue.lastLanding ?? ''],
]

const stateOf = ({ paused }: Pick<MergeQueueSummary, 'paused'>) =>
  paused === null ? 'active' : `paused: ${paused.text}`

async function show(id: string, branch: string | undefined, flags: AdminFlags): Promise<void> {
  const admin = createAdminClient(flags)
  const branches = branch === undefined ? (await readAll(admin, id)).map((each) => each.target) : [branch]
  const queues: MergeQueueResponse[] = []
  for (const each of branches) queues.push((await admin.get(pathOf(id, each))) as MergeQueueResponse)
  printAs(flags.format, queues, () =>
    queues.length === 0
      ? [`No merge request of project ${plain(id)} entered a merge queue yet.`]
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
        ...[words(each.state), namesOf(each.members), each.eta?.text ?? '', shortCommit(each.commit)],
        each.attempts.map(({ number, state, since = '', link = '' }) => `${number}: ${words(state)} ${since} ${link}`),
      ],
    ),
    ...part('Waiting, the next first', waitingHead, waiting, (each) => [
      ...[each.position, describeMergeRequest(each), each.since, each.priority, each.eta?.text ?? '', each.waitsFor],
    ]),
    ...part('Removed', ['merge request', 'at', 'reason', 'pipeline'], removed, (each) => [
      ...[describeMergeRequest(each), each.at, each.text, each.link ?? ''],
    ]),
    ...part('Last landings', ['at', 'merge requests', 'tested commit'], landed, (each) => [
      ...[each.at, namesOf(each.members), shortCommit(each.commit)],
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

/** A target branch may have slashes. */
const pathOf = (id: string, branch: string) => `/merge-queues/${encodeURIComponent(id)}/${encodeURIComponent(branch)}`

function pauseOrResume(verb: 'pause' | 'resume') {
  return async (id: string, branch: string, { why, ...flags }: ChangeFlags): Promise<void> => {
    const response = await createAdminClient(flags).post(`${pathOf(id, branch)}/${verb}`, { why })
    printAs(flags.format, response, () => [`The merge queue into ${plain(branch)} is ${verb}d.`])
  }
}

function changeEntry(verb: 'remove' | 'front', outcome: string) {
  return async (named: string, branch: string, given: string | undefined, { why, ...flags }: ChangeFlags) => {
    const [, id = named, number = given] = /^(.+)!(\d+)$/.exec(named) ?? []
    if (number === undefined)
      throw new UsageError('Name a merge request: its number after the target branch, or such as hotel/app!12.')
    if (given !== undefined && number !== given) throw new UsageError(`${named} and ${given} are two merge requests.`)
    const response = await createAdminClient(flags).post(`${pathOf(id, branch)}/${verb}`, { iid: number, why })
    const name = describeMergeRequest(response as NamedRef)
    printAs(flags.format, response, () => [`${name} ${outcome} the merge queue into ${plain(branch)}.`])
  }
}
