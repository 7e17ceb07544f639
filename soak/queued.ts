// A soak project with a merge queue: people open, change and push; its own repository shows the result.
import type { Client } from '../src/client/create-client.ts'
import { ServiceError } from '../src/client/errors.ts'
import { scriptPipelines } from '../src/sandbox/pipelines/scripted-ci.ts'
import type { Sandbox } from '../src/sandbox/start-sandbox.ts'
import { type Chain, type QueuedMergeRequest, stuck, type TestedCommit, untested } from './landings.ts'
import type { Random } from './random.ts'
import type { Violation } from './record.ts'

export type Lands = Chain['land']

/** One project lands by the accept call; the other by a push, in batches. */
export const queuedRules = (land: Lands) => `version: 1
queues:
  - { name: main, target: master${land === 'push' ? ', land: push, batch: { most: 3, wait: 1s }' : ''} }
rules:
  - name: merge what is green
    if: { pipeline: success, draft: false, labels: { none: [hold] } }
    then: { accept: { queue: main } }
`
const pipelineMs = 1_000
/** People close the oldest where so many are open, so that the queue keeps up. */
const mostOpen = 25
/** One pipeline of ten fails by chance, and whatever has both files fails always. */
const ends = [...Array<'success'>(9).fill('success'), 'failed' as const]
const redTogether = ['red/one.txt', 'red/two.txt']

export interface QueuedWork {
  /** One thing that people do. */
  act(): Promise<void>
  /** How many merge requests were opened, and how many landed. */
  counts(): Promise<{ opened: number; landed: number }>
  /** What is wrong: at any time, and once everything is at rest. */
  problems(): Promise<{ atAnyTime: Violation[]; atRest: Violation[] }>
}

interface Options {
  sandbox: Sandbox
  /** It has the rules. */
  project: number
  land: Lands
  /** A maintainer whom no fault is for. */
  person: Client
  /** The bot's name. */
  bot: string
  random: Random
}

interface Opened {
  iid: number
  branch: string
  isHeld: boolean
}

/** Lets the pipelines of the queue's branches run by themselves. */
export async function createQueuedWork(options: Options): Promise<QueuedWork> {
  const { sandbox, project, land, person, random } = options
  await sandbox.within(async (world) =>
    scriptPipelines(world, project, [
      { branches: 'bellhop/queue/*', kind: 'branch', takes: pipelineMs, ends, breaks_with: redTogether },
    ]),
  )
  const opened: Opened[] = []
  /** Commits of the target that people made. */
  const byPeople = new Set<string>()
  let files = 0

  async function commit(branch: string, start_branch?: string): Promise<string> {
    files += 1
    // Nobody makes the target itself red: then nothing could land any more.
    const special = branch === 'master' ? 0 : 1
    const name = random.weighted([
      [`work/${files}.txt`, 16],
      ['same.txt', special],
      [random.pick(redTogether), special],
    ])
    const { body } = await person.repository.commits.create({
      id: project,
      branch,
      commit_message: `Change ${name}`,
      actions: [{ action: 'create', file_path: name, content: `${files}\n` }],
      ...(start_branch === undefined ? {} : { start_branch }),
    })
    return body.id ?? ''
  }

  const green = (sha: string, ref: string) =>
    person.repository.statuses.create({ id: project, sha, ref, state: 'success', name: 'ci' })

  async function open(): Promise<void> {
    const query = { id: project, state: 'opened' as const, sort: 'asc' as const, per_page: mostOpen }
    const [oldest, ...others] = (await person.mergeRequests.list(query)).body
    if (oldest?.iid !== undefined && others.length === mostOpen - 1) return close(oldest.iid)
    const branch = `change-${opened.length + 1}`
    const sha = await commit(branch, 'base')
    const { body } = await person.mergeRequests.create({
      id: project,
      source_branch: branch,
      target_branch: 'master',
      title: `Change ${opened.length + 1}`,
    })
    opened.push({ iid: body.iid ?? 0, branch, isHeld: false })
    await green(sha, branch)
  }

  const close = async (iid: number) =>
    void (await person.mergeRequests.update({ id: project, merge_request_iid: iid, state_event: 'close' }))

  async function hold(its: Opened): Promise<void> {
    its.isHeld = !its.isHeld
    const labels = its.isHeld ? { add_labels: 'hold' } : { remove_labels: 'hold' }
    await person.mergeRequests.update({ id: project, merge_request_iid: its.iid, ...labels })
  }

  async function act(): Promise<void> {
    // Of the newest ones most are still open.
    const its = opened.at(-1 - random.below(Math.min(6, Math.max(1, opened.length))))
    const what = random.weighted([
      ['open', 10],
      ['push', 2],
      ['hold', 2],
      ['close', 1],
      // The accept call leaves one round trip open (docs/merge-queue.md), so people push only where the queue does too.
      ['push to the target', land === 'push' ? 1 : 0],
    ])
    if (what === 'open' || its === undefined) return open()
    if (what === 'push') return void (await green(await commit(its.branch), its.branch))
    if (what === 'hold') return hold(its)
    if (what === 'push to the target') return void byPeople.add(await commit('master'))
    return close(its.iid)
  }

  const mergeRequests = async () =>
    (await person.pages(person.mergeRequests.list, { id: project, per_page: 100 }, { maxPages: 50 }).collect()).items

  async function problems(): ReturnType<QueuedWork['problems']> {
    const found: QueuedMergeRequest[] = []
    for (const { iid = 0, state = '', labels = [], merge_status } of await mergeRequests()) {
      const notes = await person.mergeRequests.notes.list({ id: project, merge_request_iid: iid, per_page: 100 })
      const own = notes.body.flatMap(({ author, body }) => (author?.username === options.bot ? [body ?? ''] : []))
      const waits = labels.includes('hold') || merge_status === 'cannot_be_merged'
      found.push({ iid, state, waits, notes: own })
    }
    const branches = (await person.repository.branches.list({ id: project, search: '^bellhop/', per_page: 100 })).body
    const { chain, tested } = await readRepository(options)
    const name = (iid: number) => `${project}!${iid}`
    return {
      atAnyTime: untested(chain, tested, byPeople).map((detail) => ({
        promise: 'a merge is of what was evaluated',
        detail: `${detail} in project ${project}`,
      })),
      atRest: [
        ...stuck(found).map((iid) => ({
          promise: 'no merge queue is stuck',
          mergeRequest: name(iid),
          detail: 'it is green and neither landed nor was removed',
        })),
        ...branches.map((branch) => ({
          promise: 'no merge queue is stuck',
          detail: `the branch ${branch.name} of project ${project} is left`,
        })),
      ],
    }
  }

  return {
    async act() {
      try {
        await act()
      } catch (error) {
        // A branch that is gone, a file that exists: the queue was faster, or chance chose twice.
        if (!(error instanceof ServiceError) || error.kind !== 'refused') throw error
      }
    },
    async counts() {
      const landed = (await mergeRequests()).filter(({ state }) => state === 'merged').length
      return { opened: opened.length, landed }
    },
    problems,
  }
}

/** The target's commits, and every commit of the queue's branches whose pipeline was green. */
async function readRepository({ sandbox, person, project, land }: Options): Promise<{
  chain: Chain
  tested: TestedCommit[]
}> {
  const { items } = await person
    .pages(person.repository.pipelines.list, { id: project, status: 'success', per_page: 100 }, { maxPages: 50 })
    .collect()
  const green = items.flatMap(({ ref, sha }) => (ref?.startsWith('bellhop/queue/') && sha !== undefined ? [sha] : []))
  return sandbox.within(async ({ git }) => {
    const log = (args: readonly string[]) => git.text(project, ['log', ...args])
    const lines = (await log(['--format=%H %T', '--first-parent', '--reverse', 'master'])).trim().split('\n')
    const commits = lines.map((line) => line.split(' ')).map(([sha = '', tree = '']) => ({ sha, tree }))
    const format = '--format=%H %T %(trailers:key=Bellhop-Queue,valueonly,separator=)'
    const messages = green.length === 0 ? '' : await log(['--no-walk', format, ...green])
    // The value is such as `7 base=1a2b entries=!3@4c5d`.
    const built = messages.split('\n').flatMap((line) => {
      const [, tree = '', , base = ''] = line.split(' ')
      return base.startsWith('base=') ? [{ tree, base: base.slice('base='.length) }] : []
    })
    const bases = built.length === 0 ? '' : await log(['--no-walk', '--format=%H %T', ...built.map(({ base }) => base)])
    const trees = new Map(bases.split('\n').map((line) => line.split(' ') as [string, string]))
    const tested = built.map(({ tree, base }) => ({ tree, base: trees.get(base) ?? '' }))
    return { chain: { land, commits }, tested }
  })
}
