// What a running bot saw of a merge request while it was open, over real HTTP on a real journal: for whoever has the admin token.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Json } from '../../../src/rules/types.ts'
import { useStores } from '../../bot/stores.ts'
import { useDesk } from '../serve-desk.ts'

const stores = useStores()
const service = `s-${randomUUID()}`
const desk = useDesk(() => ({ journal: stores.journal, service }))
const ask = (path: string, token = 'admin-token') => desk.ask(`/merge-requests${path}`, { headers: { authorization: `Bearer ${token}` } })

const decided = (iid: number, second: number, head: string | null, facts?: Record<string, Json>) =>
  stores.journal.saveDecision({
    ...{ id: randomUUID(), mergeRequest: { service, project: 7, iid }, deliveries: [], tookMs: 1 },
    ...{ rules: [], calls: [], answers: [], files: [], head, at: new Date(Date.UTC(2026, 0, 11, 0, 0, second)).toISOString() },
    ...(facts === undefined ? {} : { facts }),
  })

test('is what the last decision saw that found it open, however many came after its end', async () => {
  await decided(1, 1, 'a', { state: 'opened', labels: ['draft'] })
  await decided(1, 2, 'b', { state: 'opened', labels: ['ready'], approved_by: ['carol'] })
  for (let second = 3; second < 30; second += 1) await decided(1, second, 'b', { state: 'merged', labels: [] })
  await decided(1, 30, null)
  expect(await ask('/7/1/past')).toEqual({
    status: 200,
    body: { seen: { at: '2026-01-11T00:00:02.000Z', head: 'b', facts: { state: 'opened', labels: ['ready'], approved_by: ['carol'] } } },
  })
})

test('is nothing where no decision saw it open', async () => {
  await decided(2, 1, 'a', { state: 'closed', labels: ['ready'] })
  expect([await ask('/7/2/past'), await ask('/7/3/past')]).toEqual([
    { status: 200, body: { seen: null } },
    { status: 200, body: { seen: null } },
  ])
})

test('is told to nobody without the token, and not of what is no merge request', async () => {
  expect((await ask('/7/1/past', 'wrong')).status).toBe(401)
  for (const path of ['/x/1/past', '/7/0/past']) expect((await ask(path)).status).toBe(400)
})
