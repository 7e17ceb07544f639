// Priorities by how much each sender has added within a minute (the queue suite tests their effect).
import { fairQueue } from '../../../src/queue/bullmq/fair-queue.ts'
import type { JobQueue, NewJob } from '../../../src/queue/types.ts'

interface Data {
  from?: string
}

function queue(answers: { added: boolean } = { added: true }) {
  const jobs: NewJob<Data>[] = []
  const clock = { now: 1_000_000 }
  const under = {
    add: async (job: NewJob<Data>) => {
      jobs.push(job)
      return { id: 'x', added: answers.added }
    },
  } as unknown as JobQueue<Data>
  const fair = fairQueue(under, { senderOf: ({ from }) => from, now: () => clock.now })
  /** How far behind what comes at 1,000,000 ms, in steps of 10 s. */
  return { fair, clock, places: () => jobs.map(({ priority = 0 }) => priority - 101) }
}

test('the n-th job of a sender is placed behind the first jobs of the others, also in concurrent adds', async () => {
  const { fair, places } = queue()
  await Promise.all(['a', 'a', 'a', 'b', 'a', 'b'].map((from) => fair.add({ data: { from } })))
  expect(places()).toEqual([0, 1, 2, 0, 3, 1])
})

test('a sender starts again after a minute', async () => {
  const { fair, clock, places } = queue()
  for (const by of [0, 0, 59_999, 2]) {
    clock.now += by
    await fair.add({ data: { from: 'a' } })
  }
  expect(places()).toEqual([0, 1, 7, 6])
})

test('adds that join a waiting job do not count', async () => {
  const { fair, places } = queue({ added: false })
  for (let n = 0; n < 3; n += 1) await fair.add({ data: { from: 'a' }, deduplicationKey: 'mr' })
  expect(places()).toEqual([0, 0, 0])
})

test('the job’s own priority is added, up to three hours', async () => {
  const { fair, places } = queue()
  await fair.add({ data: { from: 'a' }, priority: 10 })
  await fair.add({ data: { from: 'a' }, priority: 10 })
  await fair.add({ data: {}, priority: 7 })
  await fair.add({ data: { from: 'a' }, priority: 2_000_000 })
  expect(places()).toEqual([10, 11, 7, 1_000])
})

test('a job far back comes before jobs that are added later', async () => {
  const { fair, clock, places } = queue()
  await fair.add({ data: {}, priority: 30 })
  clock.now += 310_000
  await fair.add({ data: {} })
  expect(places()).toEqual([30, 31])
})

test('priorities stay within BullMQ’s limit, also in four months and in a hundred years', async () => {
  const { fair, clock, places } = queue()
  for (const now of [2 ** 20 * 10_000 - 1, Date.parse('2126-01-01')]) {
    clock.now = now
    await fair.add({ data: {}, priority: 2_000_000 })
  }
  expect(Math.max(...places())).toBeLessThan(2 ** 20 + 1_000)
})
