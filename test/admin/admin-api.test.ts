// The admin API over real HTTP on a real journal: reading and refusing.
import type { DecisionRecord, DeliveryRecord } from '../../src/journal/types.ts'
import { useStores } from '../bot/stores.ts'
import { decision as decisionOf, delivery as deliveryOf, mergeRequest } from '../suites/journal/records.ts'
import { jsonPost, useAdmin } from './serve-admin.ts'

const stores = useStores({ own: true })
const replay = async () => ({ is: 'unknown' }) as const
const { ask } = useAdmin(() => ({ journal: stores.journal, replay: { delivery: replay, decision: replay } }))

async function saveDelivery(given: Partial<DeliveryRecord> = {}): Promise<DeliveryRecord> {
  const delivery = deliveryOf({ state: 'read', ...given })
  await stores.journal.deliveries.save(delivery)
  return delivery
}

async function saveDecision(of: DecisionRecord['mergeRequest'], deliveries: string[]): Promise<DecisionRecord> {
  const decision = { ...decisionOf(of, '2026-11-21T10:00:01.000Z'), deliveries }
  await stores.journal.decisions.save(decision)
  return decision
}

const idsOf = ({ body }: { body: unknown }) => (body as { items: { id: string }[] }).items.map(({ id }) => id)

test('every route answers 401 without the token', async () => {
  for (const path of ['/deliveries', '/decisions/x', '/nothing', '/deliveries/x/replay'])
    for (const headers of [{}, { authorization: 'Bearer wrong' }] as Record<string, string>[]) {
      const method = path.endsWith('replay') ? 'POST' : 'GET'
      expect((await ask(path, { method, headers })).status, path).toBe(401)
    }
})

describe('deliveries', () => {
  test('are listed by project and state, page by page', async () => {
    const mr = mergeRequest()
    const first = await saveDelivery({ mergeRequests: [mr] })
    const second = await saveDelivery({ mergeRequests: [mr], receivedAt: '2026-11-21T10:00:05.000Z' })
    await saveDelivery({ mergeRequests: [mr], state: 'no_merge_request' })
    const page = await ask(`/deliveries?project=${mr.project}&state=read&limit=1`)
    expect(idsOf(page)).toEqual([second.id])
    const { next } = page.body as { next: string }
    expect(idsOf(await ask(`/deliveries?project=${mr.project}&state=read&limit=1&after=${next}`))).toEqual([first.id])
  })

  test('one is shown with the decisions that it triggered, and no others', async () => {
    const mr = mergeRequest()
    const delivery = await saveDelivery({ mergeRequests: [mr] })
    const decision = await saveDecision(mr, [delivery.id])
    await saveDecision(mr, ['another'])
    expect(await ask(`/deliveries/${delivery.id}`)).toEqual({
      status: 200,
      body: { delivery, failedJobs: [], moreFailed: false, decisions: [decision] },
    })
  })

  test('an invalid filter is refused with a reason', async () => {
    // test/admin/parameters.test.ts has what is invalid for the type of each parameter.
    for (const query of [
      ...['limit=0', 'limit=201', 'limit[]=5', 'project=', 'project[a]=1', 'iid=1', 'rule='],
      ...[`kind=${'x'.repeat(201)}`, `rule=${'x'.repeat(501)}`, `after=${'x'.repeat(1001)}`],
      ...['since=2026-11-21', 'since=%2B275760-09-14T00:00:00Z'],
    ]) {
      const refused = { status: 400, body: { error: expect.stringMatching(/\w/) } }
      expect(await ask(`/deliveries?${query}`), query).toEqual(refused)
    }
  })

  test('an unknown id is 404, whatever its characters', async () => {
    for (const id of ['unknown', '1', 'a:b', '%00', '%F0%9F%98%80', '__proto__', 'x'.repeat(5000)]) {
      expect((await ask(`/deliveries/${id}`)).status, id).toBe(404)
      expect((await ask(`/deliveries/${id}/replay`, jsonPost({}))).status, id).toBe(404)
    }
    expect((await ask('/deliveries/%E0%A4')).status).toBe(400)
  })

  test('the earliest and the latest time are valid', async () => {
    expect(await ask('/deliveries?since=9999-12-31T23:59:59Z')).toEqual({ status: 200, body: { items: [] } })
    expect((await ask('/deliveries?since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).status).toBe(200)
  })
})

test('a decision is shown with the first 50 of its deliveries that are stored', async () => {
  const ids = Array.from({ length: 51 }, (_, at) => `of-many-${at}`)
  for (const id of ids.slice(1)) await saveDelivery({ id })
  const { id } = await saveDecision(mergeRequest(), ids)
  const { triggeredBy } = (await ask(`/decisions/${id}`)).body as { triggeredBy: { id: string }[] }
  expect(triggeredBy.map((each) => each.id)).toEqual(ids.slice(1, 50))
})
