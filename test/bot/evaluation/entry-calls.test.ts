// Entering and leaving: evaluations change the journal, wake the queue, and ask the service for nothing.
import { changeEntry } from '../../../src/bot/evaluation/entry-calls.ts'
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import type { MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import type { QueueEntry } from '../../../src/rules/actions/definition/accept-memory.ts'
import { enterCall, leaveCall } from '../../../src/rules/actions/definition/queued-merge.ts'
import type { OwnCall } from '../../../src/rules/types.ts'
import { service as fakeService, makeClient, playService } from '../../client/world.ts'
import { testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
playService()

function world() {
  const queues = testQueues(stores)
  const sent: string[] = []
  const clock = { now: 1_000 }
  const mergeQueues = { ...stores.journal.mergeQueues, time: async () => clock.now }
  const context = testContext({
    queues,
    journal: { ...stores.journal, mergeQueues },
    now: () => clock.now,
    client: {
      ...makeClient().client,
      send: async (endpoint: string) => ({ status: sent.push(endpoint), body: null }),
    },
  })
  const make = (call: OwnCall, beforeRequest = async () => {}) => changeEntry(context, call, beforeRequest)
  const mr = { id: 7, merge_request_iid: 2 }
  const entry: QueueEntry = { queue: 'main', target: 'main', sha: 'a', priority: 0, frozen: false }
  return {
    ...{ make, sent, clock, mr },
    enter: (more: Partial<QueueEntry> = {}) => make(enterCall(mr, { ...entry, ...more })),
    leave: () => make(leaveCall(mr)),
    entries: (target = 'main') => stores.journal.mergeQueues.entries({ project: 7, target }),
    enqueuedTargets: async () =>
      (await queues.mergeQueues.list(['waiting'], 0, 9)).map(({ data }) => data.target).sort(),
  }
}

test('an entry keeps its place while its head stays, and gets a new one with another head', async () => {
  const { enter, entries, clock, enqueuedTargets, sent } = world()
  await enter({ squash: true, remove_source_branch: true })
  clock.now = 2_000
  await enter({ priority: 5 })
  expect(await entries()).toEqual([
    { iid: 2, queue: 'main', target: 'main', head: 'a', since: 1_000, priority: 5, frozen: false },
  ])
  await enter({ sha: 'b' })
  expect(await entries()).toMatchObject([{ head: 'b', since: 2_000 }])
  expect([await enqueuedTargets(), sent]).toEqual([['main'], []])
})

test('an entry with another target leaves the first queue, and both are enqueuedTargets', async () => {
  const { enter, entries, enqueuedTargets } = world()
  await enter()
  await enter({ target: 'release' })
  expect([await entries(), (await entries('release')).length, await enqueuedTargets()]).toEqual([
    [],
    1,
    ['main', 'release'],
  ])
})

test('leaving wakes the queue, also twice', async () => {
  const { enter, leave, entries, enqueuedTargets } = world()
  await enter()
  await leave()
  await leave()
  expect([await entries(), await enqueuedTargets()]).toEqual([[], ['main']])
})

describe('the note of one that leaves', () => {
  const member = { iid: 2, head: 'a' }
  const record = emptyRecord()
  const landed = { since: 1, by: 'accept' as const, members: [member], from: { commit: 'c', tree: 't' } }

  async function leaveWith(known: MergeQueueRecord) {
    const { enter, leave, entries } = world()
    const mergeRequest = { project: 7, iid: 2 }
    await enter()
    await stores.journal.mergeQueues.change({ ...mergeRequest, target: 'main' }, () => known)
    await stores.journal.mergeQueues.saveNote(mergeRequest, { id: 50, about: 'tested 1' })
    await leave()
    expect(await entries()).toEqual([])
    return (await stores.journal.mergeQueues.note(mergeRequest))?.about
  }

  test('says so', async () => {
    fakeService()
      .get('/projects/7/merge_requests/2')
      .reply(200, { state: 'opened', target_branch: 'main', sha: 'a', has_conflicts: true })
    fakeService()
      .put('/projects/7/merge_requests/2/notes/50', /left the merge queue of `main`: it conflicts with/)
      .reply(200, {})
    expect(await leaveWith(record)).toBe('left')
  })

  test('says how one returns that has another target', async () => {
    fakeService().get('/projects/7/merge_requests/2').reply(200, { state: 'opened', target_branch: 'next', sha: 'a' })
    fakeService()
      .put('/projects/7/merge_requests/2/notes/50', /target branch is `next` now\. Change it back, or let a rule/)
      .reply(200, {})
    expect(await leaveWith(record)).toBe('left')
  })

  test('that the service refuses does not keep it from leaving', async () => {
    fakeService().put('/projects/7/merge_requests/2/notes/50').reply(403, { message: '403 Forbidden' })
    expect(await leaveWith(record)).toBe('tested 1')
  })

  test.each<[string, Partial<MergeQueueRecord>]>([
    ['landed', { recent: [{ ...landed, tree: 't1', commit: 'c1', at: 2 }] }],
    ['lands', { landing: { ...landed, tree: 't1', commit: 'c1' } }],
    ['was removed', { removals: [{ member, reason: 'by_operator', at: 2 }] }],
  ])('is written by the queue itself where it %s', async (_why, more) => {
    fakeService().put('/projects/7/merge_requests/2/notes/50').optionally().reply(200, {})
    expect(await leaveWith({ ...record, ...more })).toBe('tested 1')
  })

  test.each([
    ['a new head: it comes back rebased', { sha: 'b' }, 'tested 1'],
    ['another target', { target_branch: 'next' }, 'left'],
  ])('of a queue that rebases it, with %s', async (_what, fields, about) => {
    const now = { state: 'opened', target_branch: 'main', sha: 'a', ...fields }
    fakeService().get('/projects/7/merge_requests/2').reply(200, now)
    fakeService().put('/projects/7/merge_requests/2/notes/50').optionally().reply(200, {})
    const builds = [{ members: [member], attempts: [{ number: 1 }] }]
    expect(await leaveWith({ ...record, test: 'rebase', builds })).toBe(about)
  })
})

test('nothing changes where another run has the job', async () => {
  const { make, entries, mr } = world()
  const call = enterCall(mr, { queue: 'main', target: 'main', sha: 'a', priority: 0, frozen: false })
  const beforeRequest = () => Promise.reject(new Error('taken over'))
  await expect(make(call, beforeRequest)).rejects.toThrow('taken over')
  expect(await entries()).toEqual([])
})
