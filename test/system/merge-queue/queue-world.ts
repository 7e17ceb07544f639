// A world with a merge queue of master: real git, the sandbox, and the whole bot. Tests report pipelines themselves.
import { known, startTestWorld, type TestWorld } from '../world.ts'

export const queueRules = (queue = '') => `version: 1
queues:
  - name: main
    target: master
${queue}
rules:
  - name: merge what is green
    if: { pipeline: success, labels: { none: [hold] } }
    then: { accept: { queue: main } }
`

export interface QueueWorld extends TestWorld {
  /** Opens a merge request whose pipeline is green: it enters the queue. */
  enter(name: string, files?: Record<string, string>): Promise<{ iid: number; sha: string; branch: string }>
  /** The commits of the queue's branches, by the number in their names. */
  builds(): Promise<Record<number, string>>
  /** Reports the pipeline of a build, and waits until all settles. */
  report(build: number, state: 'pending' | 'running' | 'success' | 'failed'): Promise<void>
  stateOf(iid: number): Promise<string | undefined>
  /** The head of master. */
  target(): Promise<string>
  /** Whether master has the file. */
  has(path: string): Promise<boolean>
  notes(iid: number): Promise<string[]>
  record(): ReturnType<TestWorld['bellhop']['journal']['mergeQueue']>
}

export async function startQueueWorld(
  options: Partial<Parameters<typeof startTestWorld>[0]> & { queue?: string } = {},
): Promise<QueueWorld> {
  const { queue, ...rest } = options
  const world = await startTestWorld({ rules: queueRules(queue), ...rest })
  const { service, project } = world
  const branchesOf = async () =>
    (await service.repository.branches.list({ id: project, search: '^bellhop/queue/main/' })).body
  const builds: QueueWorld['builds'] = async () =>
    Object.fromEntries(
      (await branchesOf()).map(({ name, commit }) => [Number(known(name).split('/').at(-1)), known(commit?.id)]),
    )
  return {
    ...world,
    // A getter of the world.
    get log() {
      return world.log
    },
    async enter(name, files) {
      const opened = await world.openMergeRequest({ branch: name, ...(files === undefined ? {} : { files }) })
      await world.pipeline(opened.sha, name, 'success')
      await world.settle()
      return opened
    },
    builds,
    async report(build, state) {
      await world.pipeline(known((await builds())[build]), `bellhop/queue/main/${build}`, state)
      await world.settle()
    },
    stateOf: async (iid) => (await world.mergeRequest(iid)).state,
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
    record: () => world.bellhop.journal.mergeQueue({ service: world.serviceName, project, target: 'master' }),
  }
}
