// The jobs of deliveries: their ids, the project that they claim, and what is left of one without its body.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type DeliveryJob, deliveryId, projectOfDelivery, withoutBody } from '../../../src/bot/intake/delivery-job.ts'
import { playService } from '../../client/world.ts'
import { runningJob, useStores } from '../stores.ts'
import { intakesOn } from './intake-world.ts'

const WINDOW = 10 * 60_000
const id = fc.option(fc.constantFrom('', 'a', 'b', 'b:1', '7', '\0', 'x'.repeat(10_000)), { nil: undefined })
const sent = fc.record({
  'webhook-id': id,
  'idempotency-key': id,
  'x-gitlab-event': fc.constantFrom('Push Hook', 'Push Hook{}', undefined),
  'x-gitlab-event-uuid': id,
  'x-gitlab-webhook-uuid': id,
  'x-gitlab-instance': id,
  'webhook-timestamp': id,
  body: fc.constantFrom('', 'a', '{}', '{"iid":1}'),
  secretProject: fc.constantFrom(undefined, 7, 8),
})
type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never

/** Equal for two deliveries that are the same. */
function sameness({ body, secretProject, ...headers }: Sent): string {
  const own = headers['webhook-id'] || headers['idempotency-key']
  return JSON.stringify([secretProject, ...(own ? ['id', own] : ['body', headers['x-gitlab-event'] ?? '', body])])
}
const idOf = ({ body, secretProject, ...headers }: Sent, now = 0) =>
  deliveryId(headers, Buffer.from(body), now, secretProject)

test('two deliveries have one id when they are the same, and only then; every id is one that a queue accepts', () => {
  fc.assert(
    fc.property(sent, sent, (a, b) => {
      expect(idOf(a) === idOf(b)).toBe(sameness(a) === sameness(b))
      expect(idOf(a)).toMatch(/^d-[0-9a-f]{32}$/)
    }),
    { numRuns: 2_000 },
  )
})

test('an id of the sender is the same at any time; an id of the body lasts ten minutes', () => {
  fc.assert(
    fc.property(sent, fc.nat(WINDOW - 1), (each, later) => {
      expect(idOf(each, later)).toEqual(idOf(each))
      const hasId = Boolean(each['webhook-id'] || each['idempotency-key'])
      expect(idOf(each, WINDOW) === idOf(each)).toBe(hasId)
    }),
  )
})

const delivery = (body: string) => ({ is: 'delivery' as const, receivedAt: '', header: '', body })

test.each([
  ['a merge request', '{"object_kind":"merge_request","user":{"id":9},"project":{"id":7,"name":"a"}}', '7'],
  ['a push, indented', '{\n  "object_kind": "push",\n  "project_id": 15,\n  "project": {\n    "id": 15', '15'],
  ['a title that looks like a project', JSON.stringify({ title: 'x","project_id":666,"', project: { id: 7 } }), '7'],
  [
    'another project’s id',
    '{"object_attributes":{"source_project_id":3,"target_project_id":4},"project":{"id":4}}',
    '4',
  ],
  ['no JSON', 'hello', undefined],
])('%s', (_name, body, expected) => {
  expect(projectOfDelivery(delivery(body))).toBe(expected)
})

test('a project id that the end of the searched part cuts off is not read', () => {
  for (let digits = 1; digits <= 6; digits += 1) {
    const key = '","project_id":'
    const body = `${'{"a":"'.padEnd(16_384 - key.length - digits, 'x')}${key}123456}`
    expect(projectOfDelivery(delivery(body))).toBeUndefined()
  }
})

test('a request to evaluate again has no project', () => {
  expect(projectOfDelivery({ is: 'again', delivery: 'd', why: 'replay' })).toBeUndefined()
})

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
