// The last open state of a merge request, over real HTTP on a real journal.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Json } from '../../../../src/rules/types.ts'
import { useStores } from '../../../bot/stores.ts'
import { useAdmin } from '../../serve-admin.ts'

const stores = useStores()
const service = `s-${randomUUID()}`
const admin = useAdmin(() => ({ journal: stores.journal, service }))
const ask = (path: string, token = 'admin-token') =>
  admin.ask(`/merge-requests${path}`, { headers: { authorization: `Bearer ${token}` } })

const decided = (iid: number, second: number, head: string | null, facts?: Record<string, Json>) =>
  stores.journal.saveDecision({
    ...{ id: randomUUID(), mergeRequest: { service, project: 7, iid }, deliveries: [], tookMs: 1 },
    ...{
      rules: [],
      calls: [],
      answers: [],
      files: [],
      head,
      at: new Date(Date.UTC(2026, 0, 11, 0, 0, second)).toISOString(),
    },
    ...(facts === undefined ? {} : { facts }),
  })

test('is the facts of the last decision that found it open, however many decisions followed', async () => {
  await decided(1, 1, 'a', { state: 'opened', labels: ['draft'] })
  await decided(1, 2, 'b', { state: 'opened', labels: ['ready'], approved_by: ['carol'] })
  for (let second = 3; second < 30; second += 1) await decided(1, second, 'b', { state: 'merged', labels: [] })
  await decided(1, 30, null)
  expect(await ask('/7/1/past')).toEqual({
    status: 200,
    body: {
      lastOpen: {
        at: '2026-01-11T00:00:02.000Z',
        head: 'b',
        facts: { state: 'opened', labels: ['ready'], approved_by: ['carol'] },
      },
    },
  })
})

test('is null if no decision found it open', async () => {
  await decided(2, 1, 'a', { state: 'closed', labels: ['ready'] })
  expect([await ask('/7/2/past'), await ask('/7/3/past')]).toEqual([
    { status: 200, body: { lastOpen: null } },
    { status: 200, body: { lastOpen: null } },
  ])
})

test('needs the token and a valid merge request', async () => {
  expect((await ask('/7/1/past', 'wrong')).status).toBe(401)
  for (const path of ['/x/1/past', '/7/0/past']) expect((await ask(path)).status).toBe(400)
})
