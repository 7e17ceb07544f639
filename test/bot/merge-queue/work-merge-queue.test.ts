// One job of a merge queue: queues that never come to rest take turns, and what an operator does meanwhile stays.
import type { BranchHead } from '../../../src/bot/merge-queue/git/repository.ts'
import { createMergeQueueHandler } from '../../../src/bot/merge-queue/work-merge-queue.ts'
import { createBotQueues } from '../../../src/bot/queues.ts'
import type { MergeQueueNote, MergeQueueRef } from '../../../src/journal/types.ts'
import { pauseQueue, removeEntry } from '../../../src/merge-queue/operate.ts'
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import type { MergeQueueCount, MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import type { NewJob, Queues, RunningJob } from '../../../src/queue/types.ts'
import { marksInMemory } from '../marks-in-memory.ts'
import { type GivenContext, testContext } from '../test-context.ts'
import { entry, member } from './run-world.ts'

const data: MergeQueueRef = { project: 7, target: 'main' }

/**
 * The handler of a queue with !1, whose branches somebody changes; `moves`: the target moves in each round, too;
 * `meanwhile`: what an operator makes of the record during the first round; `note`: that of !1, as the journal has it.
 */
function makeHandler({
  moves = false,
  meanwhile,
  note,
  ...given
}: {
  moves?: boolean
  meanwhile?: (record: MergeQueueRecord) => MergeQueueRecord
  note?: MergeQueueNote
  record?: MergeQueueRecord
}) {
  let rounds = 0
  let { record } = given
  const counts: MergeQueueCount[] = []
  const said: string[] = []
  const write = async ({ body }: { body: string }) => {
    said.push(body)
    return { body: { id: 1 } }
  }
  const added: NewJob<MergeQueueRef>[] = []
  const branches = new Map<string, string>([['bellhop/queue/main/5', 'b5']])
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
    treeOf: async () => 't0',
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
        note: async () => note,
        saveNote: async () => undefined,
      },
    },
    rules: { inForce: async () => ({ files: [{ trust: 'repository', rules }], projectPath: 'group/app' }) as never },
    client: {
      repository: { pipelines: { list: async () => ({ body: pipelines }) } },
      mergeRequests: { get: async () => ({ body: { state: 'merged' } }), notes: { create: write, update: write } },
    },
    service: {
      openRepository: async () => repository as never,
      answers: { project: () => ({ ok: true, body: { merge_method: 'merge' }, complete: true }) } as never,
    },
    queues: {
      mergeQueues: { add: async (job: NewJob<MergeQueueRef>) => added.push(job) } as never,
      mergeRequests: { add: async () => undefined } as never,
    },
    counting: { mergeQueue: (each: MergeQueueCount) => counts.push(each) },
    now: () => 0,
  } as unknown as GivenContext)
  const run = createMergeQueueHandler(context)
  const job = { data, claim: async () => false } as unknown as RunningJob<MergeQueueRef>
  return { run: () => run(job), rounds: () => rounds, record: () => record, added, counts, said }
}
const pipelines = [{ id: 9, ref: 'bellhop/queue/main/5', sha: 'b5', status: 'success', source: 'push' }]
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

const unplanned = emptyRecord()

test.each([
  ['pause', (before: MergeQueueRecord) => pauseQueue(before, 0)],
  ['removal', (before: MergeQueueRecord) => removeEntry(before, member(1), 0)],
])('an operator’s %s during a run stays, and the run goes on by it', async (_what, meanwhile) => {
  const { run, record } = makeHandler({ moves: false, meanwhile })
  await run()
  const { paused, removals, builds } = meanwhile(unplanned)
  expect(record()).toMatchObject({ ...(paused === undefined ? {} : { paused }), removals, builds })
})

test('a landing is measured against the time that the note named, which is the middle of its range', async () => {
  const landing = { since: 0, by: 'push', members: [member(1)], from: { commit: 'c', tree: 't' } } as const
  const record = { ...unplanned, landing: { ...landing, commit: 'c0', tree: 't0' } }
  const { since } = entry(1)
  const note = { id: 1, about: 'waits', eta: { since, from: -20_000, to: 80_000 } }
  const { run, counts } = makeHandler({ record, note })
  await run()
  expect(counts).toContainEqual({ is: 'landed', waitedMs: -since, etaErrorMs: 30_000 })
})

test('a green result is not called red where an operator paused the queue during its test', async () => {
  const testing = { is: 'landed', members: [member(1)], commits: ['foreign', 'merge'] } as const
  const attempt = { number: 5, commit: 'b5', since: 0 }
  const builds = [{ members: [], base: { commit: 'c0', tree: 't0' }, commit: 'b5', tree: 't0', attempts: [attempt] }]
  const record = pauseQueue({ ...unplanned, prefix: 'bellhop/queue/main/', test: 'branch', testing, builds }, 0)
  const { run, said } = makeHandler({ record })
  await run()
  expect(said.join()).toContain('so the queue tested the result, which is green')
})
