// What a running bot remembers, over real HTTP on a real journal: for whoever has the admin token.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryApi } from '../../src/admin/memory-api.ts'
import { answerErrors } from '../../src/cli/http-errors.ts'
import { silent, useStores } from '../bot/stores.ts'

const stores = useStores()
const service = `s-${randomUUID()}`
let server: Server
beforeAll(async () => {
  const app = express().use(memoryApi({ journal: stores.journal, service, token: 'admin-token' }), answerErrors(silent))
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

test('is told with who pushed to the branch and with what waits', async () => {
  const by = { id: 3, username: 'ann' }
  const event = { kind: 'note.create', project: 7, iid: 2, actor: by, at: '2026-11-21T10:00:00.000Z' }
  await stores.journal.saveMemory({ service, project: 7, iid: 2 }, { rules: {}, pushes: [], approvedSha: 'abc' })
  await stores.journal.addPush({ service, project: 8, branch: 'a/b' }, { from: null, to: 'abc', by }, 'd-push')
  await stores.journal.post({ service, project: 7, iid: 2 }, { deliveryId: 'd-note', event })
  await stores.journal.markProject(service, 7, 'merge request pipelines', 'seen')
  expect(await ask('/7/2/memory?source_project=8&source_branch=a%2Fb')).toEqual({
    status: 200,
    body: {
      service,
      memory: { rules: {}, approvedSha: 'abc', pushes: [{ from: null, to: 'abc', by }] },
      events: [{ id: 'd-note', event }],
      mergeRequestPipelines: true,
    },
  })
})

test('is empty for one that was never judged, and for the project itself', async () => {
  const nothing = { status: 200, body: { service, memory: { rules: {}, pushes: [] }, events: [], mergeRequestPipelines: false } }
  expect([await ask('/9/1/memory'), await ask('/9/0/memory')]).toEqual([nothing, nothing])
})

test('is told to nobody without the token, and not of what is no merge request', async () => {
  expect((await ask('/7/2/memory', 'wrong')).status).toBe(401)
  for (const path of ['/x/2/memory', '/7/-1/memory', '/7/2/memory?source_project=x', '/7/2/memory?other=1'])
    expect((await ask(path)).status).toBe(400)
})
