// Routes of the admin API that the bot and the commands rely on, over real HTTP on a real journal and queue.
import { randomUUID } from 'node:crypto'
import type { DryRunResponse, SelectionResponse } from '../../../../src/admin/api/routes/replays.ts'
import { replayEvent } from '../../../../src/bot/intake/replay.ts'
import type { Json } from '../../../../src/rules/language/values/rule-types.ts'
import { useStores } from '../../../bot/stores.ts'
import { eventually } from '../../../eventually.ts'
import { decision as decisionOf, delivery as deliveryOf, savePush } from '../../../suites/journal/records.ts'
import { gate } from '../../../suites/queue/test-queues.ts'
import { jsonPost, nothing, queuesOf, useAdmin } from '../../serve-admin.ts'

const stores = useStores({ own: true })
const name = `queue-${randomUUID()}`
const queue = () => stores.queue.queue<unknown>(name)
const at = '2026-11-21T10:00:00.000Z'
const replayed: string[] = []
const admin = useAdmin(() => {
  const replay = async (id: string) => {
    replayed.push(id)
    return { is: 'replayed', number: 1 } as const
  }
  const dryRun = async () => ({ ok: true, decision: nothing }) as const
  const queues = queuesOf(queue)
  return { journal: stores.journal, queues, dryRun, replay: { delivery: replay, decision: replay } }
})
const ask = (path: string) => admin.ask(`/merge-requests${path}`)
const post = (path: string, body: object) => admin.ask(path, jsonPost(body))

test('the memory of a merge request has the pushes to its branch and the pending events', async () => {
  const by = { id: 3, username: 'ann' }
  const ref = { project: 7, iid: 2 }
  const event = { kind: 'note.create', ...ref, actor: by, at }
  await stores.journal.mergeRequests.save(ref, { memory: { rules: {}, pushes: [], of: { approve: 'abc' } } })
  await savePush(stores.journal, { project: 8, branch: 'a/b' }, { to: 'abc', by })
  await stores.journal.events.add(ref, { deliveryId: 'd-note', event })
  // A replay is no event.
  await stores.journal.events.add(ref, replayEvent({ of: 'delivery', id: 'd-note', number: 1 }, at))
  await stores.journal.marks.write(7, 'merge request pipelines', 'seen')
  expect(await ask('/7/2/memory?source_project=8&source_branch=a%2Fb')).toEqual({
    status: 200,
    body: {
      memory: { rules: {}, of: { approve: 'abc' }, pushes: [{ from: null, to: 'abc', by }] },
      events: [{ id: 'd-note', event }],
      mergeRequestPipelines: true,
    },
  })
})

test('the memory is empty for a merge request that was never evaluated, and for the project itself', async () => {
  const body = { memory: { rules: {}, pushes: [] }, events: [], mergeRequestPipelines: false }
  const empty = { status: 200, body }
  expect([await ask('/9/1/memory'), await ask('/9/0/memory')]).toEqual([empty, empty])
})

const decided = (iid: number, second: number, head: string | null, facts?: Record<string, Json>) =>
  stores.journal.decisions.save({
    ...decisionOf({ project: 7, iid }, new Date(Date.UTC(2026, 0, 11, 0, 0, second)).toISOString()),
    ...(facts === undefined ? { head } : { head, facts }),
  })

test('the past has the facts of the last decision that found the merge request open', async () => {
  await decided(1, 1, 'a', { state: 'opened', labels: ['draft'] })
  await decided(1, 2, 'b', { state: 'opened', labels: ['ready'], approved_by: ['carol'] })
  for (let second = 3; second < 30; second += 1) await decided(1, second, 'b', { state: 'merged', labels: [] })
  await decided(1, 30, null)
  const facts = { state: 'opened', labels: ['ready'], approved_by: ['carol'] }
  const body = { lastOpen: { at: '2026-01-11T00:00:02.000Z', head: 'b', facts } }
  expect(await ask('/7/1/past')).toEqual({ status: 200, body })
})

test('the past is null if no decision found the merge request open', async () => {
  await decided(2, 1, 'a', { state: 'closed', labels: ['ready'] })
  for (const path of ['/7/2/past', '/7/3/past'])
    expect(await ask(path)).toEqual({ status: 200, body: { lastOpen: null } })
  expect((await ask('/7/0/past')).status).toBe(400)
})

const act = (id: string, verb: string) => post(`/queue/ruleChanges/jobs/${id}/${verb}`, {})

test('an active and a completed job cannot be discarded, retried or promoted', async () => {
  const goesOn = gate()
  const { id } = await queue().add({ data: { n: 1 } })
  const ends = async () => {
    await goesOn.opened
    return { outcome: 'done' as const }
  }
  const worker = stores.queue.work<unknown>(queue().name, ends, { concurrency: 1, onError: () => undefined })
  onTestFinished(() => worker.stop(2_000))
  for (const state of ['active', 'completed']) {
    await eventually(async () => expect((await queue().get(id))?.state).toBe(state))
    for (const verb of ['discard', 'retry', 'promote'])
      expect([state, verb, (await act(id, verb)).status]).toEqual([state, verb, 404])
    expect((await queue().get(id))?.state).toBe(state)
    goesOn.open()
  }
})

test('a waiting, delayed or failed job is discarded, once', async () => {
  const waiting = await queue().add({ data: { n: 2 } })
  const delayed = await queue().add({ data: { n: 3 }, delayMs: 600_000 })
  for (const { id } of [waiting, delayed]) {
    expect([(await act(id, 'discard')).status, (await act(id, 'discard')).status]).toEqual([202, 404])
    expect(await queue().get(id)).toBeUndefined()
  }
  const failed = await queue().add({ data: { n: 4 } })
  const fails = async () => ({ outcome: 'failed' as const, reason: 'it cannot be done' })
  const worker = stores.queue.work<unknown>(queue().name, fails, { concurrency: 1, onError: () => undefined })
  await eventually(async () => expect((await queue().get(failed.id))?.state).toBe('failed'))
  await worker.stop(2_000)
  expect([(await act(failed.id, 'promote')).status, (await act(failed.id, 'discard')).status]).toEqual([404, 202])
  expect(await queue().get(failed.id)).toBeUndefined()
})

const saveDelivery = async (projects: number[]) => {
  const delivery = deliveryOf({ state: 'read', mergeRequests: projects.map((project) => ({ project, iid: 2 })) })
  await stores.journal.deliveries.save(delivery)
  return delivery.id
}

test('a dry run compares each merge request with its own decisions only', async () => {
  const id = await saveDelivery([7, 8])
  const decide = async (project: number, iid: number) => {
    const decision = { ...decisionOf({ project, iid }, at), deliveries: [id] }
    await stores.journal.decisions.save(decision)
    return decision.id
  }
  const [one, other] = [await decide(7, 2), await decide(8, 2)]
  await decide(7, 3)
  const { mergeRequests } = (await post(`/deliveries/${id}/replay`, { dry_run: true })).body as DryRunResponse
  expect(
    mergeRequests.map(({ mergeRequest, before }) => [mergeRequest.project, before.map((each) => each.id)]),
  ).toEqual([
    [7, [one]],
    [8, [other]],
  ])
  expect(replayed).not.toContain(id)
})

test('a selection replays nothing when its count has changed', async () => {
  const project = 900_001
  const ids = [await saveDelivery([project]), await saveDelivery([project])]
  const { count } = (await post('/replays', { project })).body as SelectionResponse
  expect(count).toBe(2)
  for (const counted of [1, 3])
    expect((await post('/replays', { project, dry_run: false, count: counted })).status).toBe(409)
  expect(replayed.filter((id) => ids.includes(id))).toEqual([])
  expect((await post('/replays', { project, dry_run: false, count })).status).toBe(202)
  expect(replayed.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort())
})
