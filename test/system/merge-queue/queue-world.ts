// A world with a merge queue of master: real git, the sandbox, and the whole bot. Tests report pipelines themselves.
import { enqueueEvaluation, enqueueMergeQueue } from '../../../src/bot/queues.ts'
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

export type QueueWorld = ReturnType<typeof queueWorld>

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
      await shared.bellhop.bot.paused.pause({ project, at: new Date().toISOString(), by: 'test', why: 'it ended' })
  })
  return async (rules = {}) => {
    const world = await inNewProject(shared, typeof rules === 'string' ? rules : queueRules(rules))
    used.push(world.project)
    return queueWorld(world)
  }
}

function queueWorld(world: TestWorld) {
  const { service, project } = world
  const queueRef = { project, target: 'master' }
  /** The clock of this process is ahead by so much more, until the test ends; and that of the database, unless told. */
  function moveClock(minutes: number, { alsoDatabase = true } = {}): void {
    const ahead = Date.now() + minutes * 60_000 - performance.now()
    vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(performance.now() + ahead))
    const { mergeQueues } = world.bellhop.journal
    if (alsoDatabase) vi.spyOn(mergeQueues, 'time').mockImplementation(async () => Date.now())
  }
  const listed = async () =>
    (await service.repository.branches.list({ id: project, search: '^bellhop/queue/main/', per_page: 100 })).body
  /** The names of all that the queue made, in order. */
  async function made(): Promise<string[]> {
    const { path_with_namespace: path } = (await service.projects.get({ id: project })).body
    const lines = world.rawLog.filter((line) => line.includes('"do":"build"') && line.includes(`"${path} into master"`))
    return [...new Set(lines.map((line) => `bellhop/queue/main/${JSON.parse(line).attempt}`))]
  }
  /** The commits of the queue's branches, by their places among all that it made: the first is 1. */
  async function builds(): Promise<Record<number, string>> {
    const [names, now] = [await made(), await listed()]
    return Object.fromEntries(
      now.flatMap(({ name, commit }) =>
        names.includes(known(name)) ? [[names.indexOf(known(name)) + 1, known(commit?.id)]] : [],
      ),
    )
  }
  /** The branch of the n-th build; its name has a number that nobody can guess. */
  const branchOf = async (build: number) => known((await made())[build - 1])
  /** The places of the builds that have a branch. */
  const numbers = async () => Object.keys(await builds()).map(Number)
  const stateOf = async (iid: number) => (await world.mergeRequest(iid)).state
  /** The states of several, in their order. */
  const states = (...all: { iid: number }[]) => Promise.all(all.map(({ iid }) => stateOf(iid)))
  const record = () => world.bellhop.journal.mergeQueues.find(queueRef)
  /** Why the queue is paused; undefined: it is not. */
  const pausedBy = async () => (await record())?.paused?.reason
  /** Which merge requests are in the queue. */
  const entries = async () => (await world.bellhop.journal.mergeQueues.entries(queueRef)).map(({ iid }) => iid).sort()
  /** Moves the clock, and starts what waits for its time. */
  async function after(minutes: number): Promise<void> {
    moveClock(minutes)
    const { mergeQueues, mergeRequests } = world.bellhop.bot.queues
    const all = { limit: 100, nextAt: new Date('2200-01-01') }
    for (const each of await world.bellhop.journal.mergeRequests.takeDue(new Date('2100-01-01'), all))
      await enqueueEvaluation(mergeRequests, each)
    await enqueueMergeQueue(mergeQueues, queueRef)
    await world.settle()
  }
  /** Reports the pipeline of a build, and waits until all settles. */
  async function report(build: number, state: BuildState): Promise<void> {
    await world.pipeline(known((await builds())[build]), await branchOf(build), state)
    await world.settle()
  }
  return {
    ...world,
    // A getter of the world.
    get log() {
      return world.log
    },
    /** Opens a merge request whose pipeline is green: it enters the queue. */
    async enter(name: string, files?: Record<string, string>, more?: { title?: string }) {
      const opened = await world.openMergeRequest({ branch: name, ...(files === undefined ? {} : { files }), ...more })
      await world.pipeline(opened.sha, name, 'success')
      await world.settle()
      return opened
    },
    ...{
      made,
      builds,
      branchOf,
      numbers,
      report,
      stateOf,
      states,
      queueRef,
      record,
      pausedBy,
      entries,
      moveClock,
      after,
    },
    /** How several are, what is in the queue, and why it is paused. */
    seen: async (...of: { iid: number }[]) => ({
      ...{ states: await states(...of), entries: await entries(), pausedBy: await pausedBy() },
    }),
    /** Every branch that has a name like those of the queue, also made by others. */
    branches: async () => (await listed()).map(({ name }) => known(name)),
    /** Reports success for every build until none is left. */
    async reportAll() {
      for (let [next] = await numbers(); next !== undefined; [next] = await numbers()) await report(next, 'success')
    },
    /** Somebody else pushes files to master. */
    pushToTarget: (files: Record<string, string> = { 'other.txt': 'other' }) =>
      world.clone.push({ as: world.people.renovate, branch: 'master', files, message: 'Change the target' }),
    /** The pipeline of master is green: what is red on top of it is so by itself. */
    async makeTargetGreen() {
      const { body } = await service.repository.branches.get({ id: project, branch: 'master' })
      await world.pipeline(known(body.commit?.id), 'master', 'success')
    },
    /** The head of master. */
    target: async () =>
      known((await service.repository.branches.get({ id: project, branch: 'master' })).body.commit?.id),
    /** Whether master has the file. */
    has: async (path: string) =>
      service.repository.files.get({ id: project, file_path: path, ref: 'master' }).then(
        () => true,
        () => false,
      ),
    notes: async (iid: number) => {
      const { body } = await service.mergeRequests.notes.list({ ...world.ref(iid), per_page: 100 })
      return body.flatMap((note) => (note.system === true ? [] : [known(note.body).split('\n\n<!--')[0] ?? '']))
    },
    /** Every change of the project must say its name. */
    async changeProject(change: Omit<Parameters<typeof service.projects.update>[0], 'id' | 'name'>) {
      const { name } = (await service.projects.get({ id: project })).body
      await service.projects.update({ id: project, name: known(name), ...change })
    },
    /** How often the bot sent a call of the endpoint for this project, by the service's own record. */
    sent: (endpoint: string) =>
      world.sandbox
        .calls()
        .filter(
          ({ caller, params, ...call }) =>
            call.endpoint === endpoint && params.id === project && caller === world.people.bellhop.id,
        ).length,
  }
}
