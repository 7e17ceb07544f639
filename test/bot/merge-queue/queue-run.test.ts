// What a run of a merge queue's job works by: the rules of now, or what it has from other rules.
import { startRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import type { MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import type { MergeQueueRules } from '../../../src/rules/types.ts'
import { testContext } from '../test-context.ts'

const build = { members: [{ iid: 1, head: 'a' }], attempts: [{ number: 1 }] }
const landing = (tree: string) => ({
  ...{ since: 1, by: 'accept' as const, members: build.members, from: { commit: 'c0', tree: 't0' } },
  ...{ tree, commit: 'c1' },
})
/** A queue whose pipelines are those of branches, with a build. */
const built: MergeQueueRecord = {
  ...emptyRecord(),
  ...{ builds: [build], prefix: 'bellhop/queue/main/', test: 'branch' },
}

/** How the run works, and whether it opened git. */
async function runWith(test: MergeQueueRules['test'] | undefined, record: MergeQueueRecord, name = 'main') {
  const queue = { name, target: 'main', test }
  const file = { trust: 'repository', rules: { queues: test === undefined ? [] : [queue], rules: [] } }
  let opened = 0
  const context = testContext({
    journal: { mergeQueues: { time: async () => 0 } },
    rules: { inForce: async () => ({ files: [file], projectPath: 'group/app' }) as never },
    service: { openRepository: async () => ++opened as never },
  })
  const job = { data: { project: 7, target: 'main' }, claim: async () => undefined }
  const run = await startRun(context, job as never, record)
  if (run === undefined) throw new Error('the queue has nothing to do')
  const { settings, prefix, isReplaced, settlesOnly, hasRules } = run
  return { by: settings.test, stores: run.test, prefix, isReplaced, settlesOnly, hasRules, git: opened > 0 }
}

const usual = { by: 'branch', stores: 'branch', prefix: 'bellhop/queue/main/', isReplaced: false, settlesOnly: false }

test('by its rules', async () => {
  expect(await runWith('branch', built)).toEqual({ ...usual, hasRules: true, git: true })
})

describe('what it built goes first', () => {
  test('where it has another name', async () => {
    expect(await runWith('branch', built, 'trunk')).toEqual({ ...usual, isReplaced: true, hasRules: false, git: true })
  })

  test('where it tests without branches', async () => {
    expect(await runWith('rebase', built)).toEqual({ ...usual, isReplaced: true, hasRules: false, git: true })
  })

  test('but not where it was idle', async () => {
    expect(await runWith('rebase', { ...built, builds: [] })).toMatchObject({ by: 'rebase', isReplaced: false })
  })
})

test('a landing by a rebase is settled as one, and nothing else is done, where builds are branches by now', async () => {
  const record = { ...built, test: 'rebase' as const, landing: landing('c1') }
  expect(await runWith('branch', record)).toEqual({
    ...{ ...usual, by: 'rebase', settlesOnly: true },
    ...{ hasRules: true, git: false },
  })
})

test('a queue of rebases that no rule file has any more needs no git', async () => {
  expect(await runWith(undefined, { ...built, test: 'rebase' })).toEqual({
    ...{ ...usual, by: 'rebase', stores: 'rebase' },
    ...{ hasRules: false, git: false },
  })
})
