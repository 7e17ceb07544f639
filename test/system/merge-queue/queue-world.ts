// A world with a merge queue of master: real git, the sandbox, and the whole bot. Tests report pipelines themselves.
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { enqueueEvaluation, enqueueMergeQueue } from '../../../src/bot/queues.ts'
import type { MergeQueueRef } from '../../../src/journal/types.ts'
import { inNewProject, known, startTestWorld, type TestWorld } from '../world.ts'

interface QueueRules {
  /** Settings of the queue besides name and target, a YAML line each. */
  queue?: string
  /** The condition of the rule that enters what is green. */
  when?: string
}

export const queueRules = ({ queue = '', when = '{ pipeline: success, labels: { none: [hold] } }' }: QueueRules = {}) =>
  `version: 1
queues:
  - name: main
    target: master
${queue.replaceAll(/^ */gm, '    ')}
rules:
  - name: merge what is green
    if: ${when}
    then: { accept: { queue: main } }
`

export type BuildState = 'pending' | 'running' | 'success' | 'failed'

export interface QueueWorld extends TestWorld {
  /** Opens a merge request whose pipeline is green: it enters the queue. */
  enter(
    name: string,
    files?: Record<string, string>,
    more?: { title?: string },
  ): Promise<{ iid: number; sha: string; branch: string }>
  /** The commits of the queue's branches, by their places among all that it made: the first is 1. */
  builds(): Promise<Record<number, string>>
  /** The branch of the n-th build; its name has a number that nobody can guess. */
  branchOf(build: number): Promise<string>
  /** Every branch that has a name like those of the queue, also made by others. */
  branches(): Promise<string[]>
  /** The places of the builds that have a branch. */
  numbers(): Promise<number[]>
  /** Reports the pipeline of a build, and waits until all settles. */
  report(build: number, state: BuildState): Promise<void>
  /** Reports success for every build until none is left. */
  reportAll(): Promise<void>
  stateOf(iid: number): Promise<string | undefined>
  /** The states of several, in their order. */
  states(...merged: { iid: number }[]): Promise<(string | undefined)[]>
  /** Somebody else pushes files to master. */
  pushToTarget(files?: Record<string, string>): Promise<string>
  /** The head of master. */
  target(): Promise<string>
  /** Whether master has the file. */
  has(path: string): Promise<boolean>
  notes(iid: number): Promise<string[]>
  queueRef: MergeQueueRef
  /** Every change of the project must say its name. */
  changeProject(change: {
    default_branch?: string
    merge_method?: 'ff'
    squash_option?: 'always'
    allow_merge_on_skipped_pipeline?: boolean
    automatic_rebase_enabled?: boolean
  }): Promise<void>
  record(): ReturnType<TestWorld['bellhop']['journal']['mergeQueues']['find']>
  /** Why the queue is paused; undefined: it is not. */
  pausedBy(): Promise<string | undefined>
  /** Which merge requests are in the queue. */
  entries(): Promise<number[]>
  /** The clock of this process is ahead by so much more, until the test ends. */
  moveClock(minutes: number): void
  /** Moves the clock, and starts what waits for its time. */
  after(minutes: number): Promise<void>
  /** How often the bot sent a call of the endpoint for this project, by the service's own record. */
  sent(endpoint: string): number
}

/** One world for the tests of a block: each call gives a project of its own, which rests after the test. */
export function shareQueueWorld(
  options: () => Partial<Parameters<typeof startTestWorld>[0]> = () => ({}),
  atEnd = () => {},
): (rules?: QueueRules | string) => Promise<QueueWorld> {
  let shared: TestWorld
  const used: number[] = []
  beforeAll(async () => {
    shared = await startTestWorld({ rules: 'version: 1\nrules: []\n', ...options() })
  })
  afterAll(async () => {
    await shared?.end()
    atEnd()
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    shared.sandbox.faults.clear()
    for (const project of used.splice(0))
      await shared.bellhop.bot.paused.pause({
        project,
        at: new Date().toISOString(),
        by: 'test',
        why: 'the test ended',
      })
  })
  return async (rules = {}) => {
    const world = await inNewProject(shared, typeof rules === 'string' ? rules : queueRules(rules))
    used.push(world.project)
    return queueWorld(world)
  }
}

function moveClock(minutes: number): void {
  const ahead = Date.now() + minutes * 60_000 - performance.now()
  vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(performance.now() + ahead))
}

function queueWorld(world: TestWorld): QueueWorld {
  const { service, project } = world
  const queueRef = { project, target: 'master' }
  const listed = async () =>
    (await service.repository.branches.list({ id: project, search: '^bellhop/queue/main/', per_page: 100 })).body
  /** The names of all that the queue made, in order. */
  async function made(): Promise<string[]> {
    const { path_with_namespace: path } = (await service.projects.get({ id: project })).body
    const lines = world.rawLog.filter((line) => line.includes('"do":"build"') && line.includes(`"${path} into master"`))
    return [...new Set(lines.map((line) => `bellhop/queue/main/${JSON.parse(line).attempt}`))]
  }
  const builds: QueueWorld['builds'] = async () => {
    const [names, now] = [await made(), await listed()]
    return Object.fromEntries(
      now.flatMap(({ name, commit }) =>
        names.includes(known(name)) ? [[names.indexOf(known(name)) + 1, known(commit?.id)]] : [],
      ),
    )
  }
  const branchOf = async (build: number) => known((await made())[build - 1])
  const numbers = async () => Object.keys(await builds()).map(Number)
  const stateOf = async (iid: number) => (await world.mergeRequest(iid)).state
  const record = () => world.bellhop.journal.mergeQueues.find(queueRef)
  async function after(minutes: number): Promise<void> {
    moveClock(minutes)
    const { mergeQueues, mergeRequests } = world.bellhop.bot.queues
    const all = { limit: 100, nextAt: new Date('2200-01-01') }
    for (const each of await world.bellhop.journal.mergeRequests.takeDue(new Date('2100-01-01'), all))
      await enqueueEvaluation(mergeRequests, each)
    await enqueueMergeQueue(mergeQueues, queueRef)
    await world.settle()
  }
  const report: QueueWorld['report'] = async (build, state) => {
    await world.pipeline(known((await builds())[build]), await branchOf(build), state)
    await world.settle()
  }
  return {
    ...world,
    // A getter of the world.
    get log() {
      return world.log
    },
    async enter(name, files, more) {
      const opened = await world.openMergeRequest({ branch: name, ...(files === undefined ? {} : { files }), ...more })
      await world.pipeline(opened.sha, name, 'success')
      await world.settle()
      return opened
    },
    ...{ builds, branchOf, numbers, report, stateOf, queueRef, record },
    branches: async () => (await listed()).map(({ name }) => known(name)),
    async reportAll() {
      for (let [next] = await numbers(); next !== undefined; [next] = await numbers()) await report(next, 'success')
    },
    states: (...all) => Promise.all(all.map(({ iid }) => stateOf(iid))),
    pushToTarget: (files = { 'other.txt': 'other' }) =>
      world.clone.push({ as: world.people.renovate, branch: 'master', files, message: 'Change the target' }),
    target: async () =>
      known((await service.repository.branches.get({ id: project, branch: 'master' })).body.commit?.id),
    has: async (path) =>
      service.repository.files.get({ id: project, file_path: path, ref: 'master' }).then(
        () => true,
        () => false,
      ),
    notes: async (iid) => {
      const { body } = await service.mergeRequests.notes.list({ ...world.ref(iid), per_page: 100 })
      return body.flatMap((note) => (note.system === true ? [] : [known(note.body).split('\n\n<!--')[0] ?? '']))
    },
    async changeProject(change) {
      const { name } = (await service.projects.get({ id: project })).body
      await service.projects.update({ id: project, name: known(name), ...change })
    },
    pausedBy: async () => (await record())?.paused?.reason,
    entries: async () => (await world.bellhop.journal.mergeQueues.entries(queueRef)).map(({ iid }) => iid).sort(),
    moveClock,
    after,
    sent: (endpoint) =>
      world.sandbox
        .calls()
        .filter(
          ({ caller, params, ...call }) =>
            call.endpoint === endpoint && params.id === project && caller === world.people.bellhop.id,
        ).length,
  }
}
