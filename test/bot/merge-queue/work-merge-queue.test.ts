// One job of a merge queue: queues that never come to rest take turns, and what an operator does meanwhile stays.
import type { BranchHead } from '../../../src/bot/merge-queue/git/repository.ts'
import { createMergeQueueHandler } from '../../../src/bot/merge-queue/work-merge-queue.ts'
import { createBotQueues } from '../../../src/bot/queues.ts'
import type { MergeQueueRef } from '../../../src/journal/types.ts'
import { pauseQueue, removeEntry } from '../../../src/merge-queue/operate.ts'
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import type { MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import type { NewJob, Queues, RunningJob } from '../../../src/queue/types.ts'
import { marksInMemory } from '../marks-in-memory.ts'
import { type GivenContext, testContext } from '../test-context.ts'
import { entry, member } from './run-world.ts'

const data: MergeQueueRef = { project: 7, target: 'main' }

/**
 * The handler of a queue with !1, whose branches somebody changes; `moves`: the target moves in each round, too;
 * `meanwhile`: what an operator makes of the record during the first round.
 */
function makeHandler({
  moves,
  meanwhile,
}: {
  moves: boolean
  meanwhile?: (record: MergeQueueRecord) => MergeQueueRecord
}) {
  let rounds = 0
  let record: MergeQueueRecord | undefined
  const added: NewJob<MergeQueueRef>[] = []
  const branches = new Map<string, string>()
  const repository = {
    async heads() {
      rounds += 1
      if (rounds === 1 && meanwhile !== undefined) record = meanwhile(record ?? unplanned)
      const target: BranchHead = { commit: `c${moves ? rounds : 0}`, tree: `t${moves ? rounds : 0}` }
      return { target, branches }
    },
    fetchHeads: async () => new Map([[member(1).head, 'there']]),
    fetchBranches: async () => undefined,
    isAncestor: async () => false,
    build: async () => ({ is: 'built', commit: `b${rounds}`, tree: `t${rounds}+1` }),
    async pushBranches(made: { branch: string }[]) {
      branches.clear()
      for (const { branch } of made) branches.set(branch, moves ? `b${rounds}` : 'of somebody else')
      return made.map(() => 'pushed')
    },
    deleteBranches: async () => branches.clear(),
  }
  const rules = { queues: [{ name: 'main', target: 'main', test: 'branch', pipelines: 'branch', ...settings }] }
  const context = testContext({
    journal: {
      marks: marksInMemory(),
      mergeQueues: {
        time: async () => 0,
        entries: async () => [entry(1)],
        find: async () => record,
        async change(_queue: unknown, change: (present?: MergeQueueRecord) => MergeQueueRecord | undefined) {
          record = change(record) ?? record
        },
        note: async () => undefined,
        saveNote: async () => undefined,
      },
    },
    rules: { inForce: async () => ({ files: [{ trust: 'repository', rules }], projectPath: 'group/app' }) as never },
    client: {
      repository: { pipelines: { list: async () => ({ body: [] }) } },
      mergeRequests: { notes: { create: async () => ({ body: { id: 1 } }) } },
    },
    service: {
      openRepository: async () => repository as never,
      answers: { project: () => ({ ok: true, body: { merge_method: 'merge' }, complete: true }) } as never,
    },
    queues: {
      mergeQueues: { add: async (job: NewJob<MergeQueueRef>) => added.push(job) } as never,
      mergeRequests: { add: async () => undefined } as never,
    },
    now: () => 0,
  } as unknown as GivenContext)
  const run = createMergeQueueHandler(context)
  const job = { data, claim: async () => false } as unknown as RunningJob<MergeQueueRef>
  return { run: () => run(job), rounds: () => rounds, record: () => record, added }
}
const settings = {
  ...{ land: 'push', speculate: { least: 1, most: 1 }, batch: { most: 1, waitMs: 0 } },
  ...{ retries: 0, timeoutMs: 60_000 },
}

test('a queue that never comes to rest ends its job after ten rounds, and adds it anew', async () => {
  const { run, rounds, added } = makeHandler({ moves: true })
  expect([await run(), rounds()]).toEqual([{ outcome: 'done' }, 10])
  expect(added).toEqual([{ data, deduplicationKey: '7 main' }])
})

test('a job that is added anew is placed by its time, behind those of other projects that wait already', async () => {
  const placed: [number, number][] = []
  const under = { add: async (job: NewJob<MergeQueueRef>) => placed.push([job.data.project, job.priority ?? 0]) && {} }
  let now = 0
  const backend = { queue: () => under } as unknown as Queues
  const { mergeQueues } = createBotQueues(backend, () => now)
  for (const project of [7, 8]) await mergeQueues.add({ data: { ...data, project } })
  now = 60_000
  await mergeQueues.add({ data })
  const [busy, other, again] = placed.map(([, place]) => place)
  expect([busy === other, Number(again) > Number(other)]).toEqual([true, true])
})

test('a queue whose branches somebody changes builds again later and later, and then every five minutes', async () => {
  const { run, record } = makeHandler({ moves: false })
  const delays: unknown[] = []
  while (record()?.paused === undefined) {
    const result = await run()
    delays.push('delayMs' in result ? result.delayMs : result.outcome)
  }
  expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 300_000])
  expect(record()?.paused?.reason).toBe('branches_changed')
})

const unplanned = emptyRecord({ speculate: { least: 1, most: 1 } })

test.each([
  ['pause', (before: MergeQueueRecord) => pauseQueue(before, 0)],
  ['removal', (before: MergeQueueRecord) => removeEntry(before, member(1), 0)],
])('an operator’s %s during a run stays, and the run goes on by it', async (_what, meanwhile) => {
  const { run, record } = makeHandler({ moves: false, meanwhile })
  await run()
  const { paused, removals, builds } = meanwhile(unplanned)
  expect(record()).toMatchObject({ ...(paused === undefined ? {} : { paused }), removals, builds })
})
