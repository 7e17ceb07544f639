// What may be done to single jobs, over real HTTP on a real queue: a job that runs or is done is left as it is.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useStores } from '../../../bot/stores.ts'
import { eventually } from '../../../eventually.ts'
import { gate } from '../../../suites/queue/test-queues.ts'
import { useAdmin } from '../../serve-admin.ts'

const stores = useStores()
const name = `queue-${randomUUID()}`
const queue = () => stores.queue.queue<unknown>(name)
const admin = useAdmin(() => {
  const of = queue()
  const queues = { deliveries: of, mergeRequests: of, ruleChanges: of, sweeps: of, timers: of, notices: of }
  return { journal: stores.journal, queues: queues }
})
const act = (id: string, verb: string) =>
  admin.ask(`/queue/timers/jobs/${id}/${verb}`, {
    method: 'POST',
    headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
    body: '{}',
  })
const verbs = ['discard', 'retry', 'promote']

test('a job that runs, and one that is done, can be neither discarded, nor tried again, nor promoted', async () => {
  const goesOn = gate()
  const { id } = await queue().add({ data: { n: 1 } })
  const ends = async () => {
    await goesOn.opened
    return { outcome: 'done' as const }
  }
  const worker = stores.queue.work<unknown>(name, ends, { concurrency: 1, onError: () => undefined })
  try {
    for (const state of ['active', 'completed']) {
      await eventually(async () => expect((await queue().get(id))?.state).toBe(state))
      for (const verb of verbs) expect([state, verb, (await act(id, verb)).status]).toEqual([state, verb, 404])
      expect((await queue().get(id))?.state).toBe(state)
      goesOn.open()
    }
  } finally {
    await worker.stop(2_000)
  }
})

test('a job that waits, is delayed or failed is discarded, once', async () => {
  const waiting = await queue().add({ data: { n: 2 } })
  const delayed = await queue().add({ data: { n: 3 }, delayMs: 600_000 })
  for (const { id } of [waiting, delayed]) {
    expect([(await act(id, 'discard')).status, (await act(id, 'discard')).status]).toEqual([202, 404])
    expect(await queue().get(id)).toBeUndefined()
  }
  const failed = await queue().add({ data: { n: 4 } })
  const fails = async () => ({ outcome: 'failed' as const, reason: 'it cannot be done' })
  const worker = stores.queue.work<unknown>(name, fails, { concurrency: 1, onError: () => undefined })
  await eventually(async () => expect((await queue().get(failed.id))?.state).toBe('failed'))
  await worker.stop(2_000)
  expect([(await act(failed.id, 'promote')).status, (await act(failed.id, 'discard')).status]).toEqual([404, 202])
  expect(await queue().get(failed.id)).toBeUndefined()
})
