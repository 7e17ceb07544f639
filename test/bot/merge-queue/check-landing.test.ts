// The check before a landing is stored: the rules must request every member.
import { areStillRequested, checkLanding } from '../../../src/bot/merge-queue/check-landing.ts'
import type { QueueRun } from '../../../src/bot/merge-queue/queue-run.ts'
import { acceptMemory } from '../../../src/rules/actions/definition/accept-memory.ts'
import type { DecideInput, MergeRequestRef } from '../../../src/rules/types.ts'
import { landsCommits, playService, service } from '../../client/world.ts'
import { rulesOfVersion } from '../stores.ts'
import { testContext } from '../test-context.ts'
import { checked, entry, makeRun, member, mr, requested } from './run-world.ts'

playService()

const members = [member(1), member(2)]

/** The verdict where the service tells so of the two, and what is evaluated then. */
async function verdictOf(first: object, second: object) {
  const { run, evaluated } = makeRun()
  const given = checked(1)
  const journalOf = {
    load: async ({ iid }: MergeRequestRef) => ({
      memory: checked(iid).memory,
      pendingEvents: [],
      pushes: [],
      queueEntry: entry(iid),
      marks: {},
    }),
    mergeQueues: {
      find: async () => undefined,
      entries: async () => [],
    },
    pushes: { list: async () => [] },
  }
  const inForce = { ...(await rulesOfVersion('v').inForce(7)), files: given.files }
  const { journal, rules } = testContext({ journal: journalOf, rules: { refresh: async () => inForce } })
  for (const [iid, fields] of [
    [1, first],
    [2, second],
  ] as const)
    service().get(mr(iid)).reply(200, requested(iid, fields))
  landsCommits()
  const { project } = given.answers
  const body = project?.ok === true ? (project.body as QueueRun['project']) : undefined
  Object.assign(run, { journal, rules, project: body, settings: { ...run.settings, test: 'rebase' } })
  return { verdict: await checkLanding(run, { builds: [] }, members), evaluated, checked: run.checked?.length }
}

const hold = { labels: ['hold'] }
test('both are requested: it lands', async () => {
  expect(await verdictOf({}, {})).toEqual({ verdict: 'lands', evaluated: [], checked: 2 })
})

test.each([
  ['first', hold, {}, [1]],
  ['second', {}, hold, [2]],
  ['whole batch', hold, hold, [1, 2]],
])('the %s is not: nothing lands, and that is evaluated', async (_which, first, second, evaluated) => {
  expect(await verdictOf(first, second)).toMatchObject({ verdict: 'held', evaluated })
})

test.each([false, true])('a freeze holds an entry that stands (as frozen: %s)', async (frozen) => {
  const freeze = { until: '2026-12-01T00:00:00.000Z', except: [], by: 'ann', at: '2026-11-20T00:00:00Z' }
  const given = checked(1)
  const { queued } = acceptMemory(given.memory)
  const present = { ...queued, frozen, ...(frozen ? { frozenUntil: freeze.until } : {}) }
  const standing = { ...given, memory: { ...given.memory, of: { accept: { queued: present } } } } as DecideInput
  for (const [mark, lands] of [
    [undefined, !frozen],
    [freeze, false],
  ] as const) {
    const { run } = makeRun()
    service().get(mr(1)).reply(200, requested(1))
    landsCommits()
    await run.journal.marks.change(7, 'freeze', () => mark)
    expect(await areStillRequested(run, [standing])).toBe(lands)
  }
})
