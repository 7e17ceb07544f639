// Replays over real HTTP on a real journal: dry runs, and selections whose count has changed.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DryRunResponse, SelectionResponse } from '../../../../src/admin/api/routes/replays.ts'
import { useStores } from '../../../bot/stores.ts'
import { useAdmin } from '../../serve-admin.ts'

const stores = useStores()
const service = `s-${randomUUID()}`
const at = '2026-11-21T10:00:00.000Z'
const replayed: string[] = []
const nothing = { rules: [], calls: [], answers: [], head: null, files: [] }
const admin = useAdmin(() => {
  const replay = async (id: string) => {
    replayed.push(id)
    return { is: 'replayed', number: 1 } as const
  }
  const dryRun = async () => ({ ok: true, decision: nothing }) as const
  return { journal: stores.journal, service, dryRun, replay: { delivery: replay, decision: replay } }
})
const post = (path: string, body: object) =>
  admin.ask(path, {
    method: 'POST',
    headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const saveDelivery = async (projects: number[]) => {
  const id = `d-${randomUUID()}`
  const mergeRequests = projects.map((project) => ({ service, project, iid: 2 }))
  await stores.journal.saveDelivery({
    id,
    service,
    receivedAt: at,
    header: 'Push Hook',
    bytes: 2,
    state: 'read',
    mergeRequests,
  })
  return id
}

test('a dry run compares each merge request with its own decisions, not with those of the same number in another project', async () => {
  const id = await saveDelivery([7, 8])
  const decided = async (project: number, iid: number) => {
    const decision = {
      ...nothing,
      id: randomUUID(),
      mergeRequest: { service, project, iid },
      at,
      deliveries: [id],
      tookMs: 1,
    }
    await stores.journal.saveDecision(decision)
    return decision.id
  }
  const [one, other] = [await decided(7, 2), await decided(8, 2)]
  await decided(7, 3)
  const { mergeRequests } = (await post(`/deliveries/${id}/replay`, { dry_run: true })).body as DryRunResponse
  expect(
    mergeRequests.map(({ mergeRequest, before }) => [mergeRequest.project, before.map((each) => each.id)]),
  ).toEqual([
    [7, [one]],
    [8, [other]],
  ])
  expect(replayed).not.toContain(id)
})

test('a selection that finds more or fewer than were counted replays nothing', async () => {
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
