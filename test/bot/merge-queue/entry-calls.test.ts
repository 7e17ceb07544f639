// Entering and leaving: evaluations change the journal, wake the queue, and ask the service for nothing.
import { expect, test } from 'vitest'
import { withMergeQueue } from '../../../src/bot/merge-queue/entry-calls.ts'
import { mergeQueueCall, type QueueEntry } from '../../../src/rules/actions/definition/merge-queue-calls.ts'
import { makeClient } from '../../client/world.ts'
import { silent, testQueues, useStores } from '../stores.ts'

const stores = useStores()

function world() {
  const { service, mergeQueues } = testQueues(stores)
  const sent: string[] = []
  const clock = { now: 1_000 }
  const { send } = withMergeQueue({
    ...{ service, mergeQueues, journal: stores.journal, now: () => clock.now, log: silent },
    client: { ...makeClient().client, send: async (endpoint) => ({ status: sent.push(endpoint), body: null }) },
  })
  const mr = { id: 7, merge_request_iid: 2 }
  const entry: QueueEntry = { queue: 'main', target: 'main', sha: 'a', priority: 0, frozen: false }
  const make = (call: ReturnType<typeof mergeQueueCall>) => send(call.endpoint, call.params)
  return {
    ...{ send, sent, clock, mr },
    enter: (more: Partial<QueueEntry> = {}) => make(mergeQueueCall('mergeQueue.enter', { ...mr, ...entry, ...more })),
    leave: () => make(mergeQueueCall('mergeQueue.leave', mr)),
    entries: (target = 'main') => stores.journal.mergeQueueEntries({ service, project: 7, target }),
    enqueuedTargets: async () => (await mergeQueues.list(['waiting'], 0, 9)).map(({ data }) => data.target).sort(),
  }
}

test('other calls go to the service', async () => {
  const { send, sent, mr } = world()
  await send('mergeRequests.approve', mr)
  expect(sent).toEqual(['mergeRequests.approve'])
})

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

test('nothing changes where another run has the job', async () => {
  const { send, entries, mr } = world()
  const call = mergeQueueCall('mergeQueue.enter', {
    ...mr,
    ...{ queue: 'main', target: 'main', sha: 'a' },
    priority: 0,
    frozen: false,
  })
  const beforeRequest = () => Promise.reject(new Error('taken over'))
  await expect(send(call.endpoint, call.params, { beforeRequest })).rejects.toThrow('taken over')
  expect(await entries()).toEqual([])
})
