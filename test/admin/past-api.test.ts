// What a running bot saw of a merge request while it was open, over real HTTP on a real journal: for whoever has the admin token.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pastApi } from '../../src/admin/past-api.ts'
import { answerErrors } from '../../src/cli/http-errors.ts'
import type { Json } from '../../src/rules/types.ts'
import { silent, useStores } from '../bot/stores.ts'

const stores = useStores()
const service = `s-${randomUUID()}`
let server: Server
beforeAll(async () => {
  const app = express().use(pastApi({ journal: stores.journal, service, token: 'admin-token' }), answerErrors(silent))
  server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
})

async function ask(path: string, token = 'admin-token'): Promise<{ status: number; body: unknown }> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/api/merge-requests${path}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, body: await response.json() }
}

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
