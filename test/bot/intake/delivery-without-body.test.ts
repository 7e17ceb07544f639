// A failed delivery's job without its body contains no text of the body, and intake does the same with it.
import { randomUUID } from 'node:crypto'
import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import { withoutBody } from '../../../src/bot/intake/delivery-job.ts'
import { playService } from '../../client/world.ts'
import { runningJob, useStores } from '../stores.ts'
import { intakesOn } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

const sha = 'a'.repeat(40)
const project = { id: 7 }
const secret = { variables: [{ key: 'DEPLOY_KEY', value: 'a-secret-value' }], description: 'a-secret-value' }
const pipeline = {
  object_kind: 'pipeline',
  project,
  object_attributes: { id: 5, ref: 'f', sha, status: 'success', ...secret },
}

const job = (payload: unknown): DeliveryJob => ({
  is: 'delivery',
  receivedAt: '2026-11-21T12:00:00.000Z',
  header: 'Some Hook',
  body: typeof payload === 'string' ? payload : JSON.stringify(payload),
})

test.each([
  ['a pipeline of a merge request', { ...pipeline, merge_request: { iid: 2, target_project_id: 7, ...secret } }],
  [
    'a merge request',
    { object_kind: 'merge_request', project, object_attributes: { iid: 2, action: 'open', ...secret } },
  ],
  ['a body that cannot be read', 'a-secret-value'],
])('intake does the same without the body of %s', async (_name, payload) => {
  const after = async (data: DeliveryJob) => {
    const { handle, mergeRequests } = makeIntake()
    const { journal } = stores
    const id = `d-${randomUUID()}`
    expect(await handle(runningJob(data, { id }))).toEqual({
      outcome: 'done',
      newData: withoutBody(data),
    })
    const pending = await journal.events.pending({ project: 7, iid: 2 })
    const record = await journal.deliveries.find(id)
    return {
      record: { ...record, id: '', mergeRequests: record?.mergeRequests.map(({ iid }) => iid) },
      events: pending.map(({ event }) => event),
      enqueued: (await mergeRequests.counts()).waiting,
      body: await journal.deliveries.body(id),
    }
  }
  const whole = job(payload)
  const lighter = withoutBody(whole)
  if (lighter === undefined) throw new Error('the body was not removed')
  expect(JSON.stringify(lighter)).not.toContain('a-secret-value')
  const [before, now] = [await after(whole), await after(lighter)]
  expect(before.body).toBe(whole.is === 'delivery' ? whole.body : '')
  expect(now.body).toBeUndefined()
  const bytes = payload === 'a-secret-value' ? { bytes: 0 } : {}
  expect({ ...now, body: '' }).toEqual({ ...before, body: '', record: { ...before.record, ...bytes } })
  expect(withoutBody(lighter)).toBeUndefined()
})

test('other jobs are left as they are', () => {
  expect(withoutBody({ is: 'again', delivery: 'd', why: 'replay' })).toBeUndefined()
  expect(withoutBody({ ...job(''), unreadable: 'The body unpacks to more than 25 MB.' } as DeliveryJob)).toBeUndefined()
})
