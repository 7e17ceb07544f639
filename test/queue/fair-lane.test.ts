// Priorities by how much each sender has added lately; what they do in a real lane is in the queue's suite.
import { expect, test } from 'vitest'
import { fairLane } from '../../src/queue/fair-lane.ts'
import type { Lane, NewJob } from '../../src/queue/types.ts'

interface Data {
  from?: string
}

function lane(answers: { added: boolean } = { added: true }) {
  const jobs: NewJob<Data>[] = []
  const clock = { now: 1_000_000 }
  const under = {
    add: async (job: NewJob<Data>) => {
      jobs.push(job)
      return { id: 'x', added: answers.added }
    },
  } as unknown as Lane<Data>
  const fair = fairLane(under, { senderOf: ({ from }) => from, now: () => clock.now })
  return { fair, clock, priorities: () => jobs.map((job) => job.priority) }
}

test('the n-th job of a sender goes behind the first ones of the others, also when all are added at once', async () => {
  const { fair, priorities } = lane()
  await Promise.all(['a', 'a', 'a', 'b', 'a', 'b'].map((from) => fair.add({ data: { from } })))
  expect(priorities()).toEqual([undefined, 1, 2, undefined, 3, 1])
})

test('after a minute a sender begins anew, and a clock that was set back does not punish anyone', async () => {
  const { fair, clock, priorities } = lane()
  for (const by of [0, 0, 59_999, 1, -500_000]) {
    clock.now += by
    await fair.add({ data: { from: 'a' } })
  }
  expect(priorities()).toEqual([undefined, 1, 2, undefined, undefined])
})

test('adds that only wake what waits do not count', async () => {
  const { fair, priorities } = lane({ added: false })
  for (let n = 0; n < 3; n += 1) await fair.add({ data: { from: 'a' }, oneAtATime: 'mr' })
  expect(priorities()).toEqual([undefined, undefined, undefined])
})

test('work for later keeps its own place on top; work of nobody is not touched; priorities end where the store’s do', async () => {
  const { fair, priorities } = lane()
  await fair.add({ data: { from: 'a' }, priority: 10 })
  await fair.add({ data: { from: 'a' }, priority: 10 })
  await fair.add({ data: {} })
  await fair.add({ data: { from: 'a' }, priority: 2_000_000 })
  expect(priorities()).toEqual([10, 11, undefined, 100_000])
})
