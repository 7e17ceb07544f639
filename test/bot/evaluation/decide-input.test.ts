// While a merge queue rebases it, a merge request is not evaluated, unless the queue itself waits for that.
import { isBeingRebased } from '../../../src/bot/evaluation/decide-input.ts'
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import type { Attempt, MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { testContext } from '../test-context.ts'

const head = 'a'.repeat(40)
const mergeRequest = { project: 1, iid: 7 }
const queued = { queue: 'main', target: 'main', sha: head, priority: 0, frozen: false }

const isWaiting = (attempt: Partial<Attempt>, iid = 7) =>
  isBeingRebased(
    testContext({
      journal: {
        mergeQueues: {
          find: async () => ({
            ...emptyRecord(),
            builds: [{ members: [{ iid, head }], attempts: [{ number: 1, ...attempt }] }] as MergeQueueRecord['builds'],
          }),
        },
      },
    }).journal,
    mergeRequest,
    { ...emptyMemory(), of: { accept: { queued } } },
    1_000_000,
  )

test.each<[string, Partial<Attempt>, boolean]>([
  ['until its new head is known', { since: 999_000 }, true],
  ['not once that is known', { since: 999_000, commit: 'b'.repeat(40) }, false],
  ['not where the queue waits for the evaluation', { since: 999_000, lateSince: 999_500 }, false],
  ['not where the rebase was interrupted', { since: 1 }, false],
  ['not where builds are branches', {}, false],
])('it waits %s', async (_when, attempt, expected) => {
  expect(await isWaiting(attempt)).toBe(expected)
})

test('it does not wait for the rebase of another one', async () => {
  expect(await isWaiting({ since: 999_000 }, 8)).toBe(false)
})
