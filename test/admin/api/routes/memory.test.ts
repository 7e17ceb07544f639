// The memory of a running bot, over real HTTP on a real journal.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { replayEvent } from '../../../../src/bot/evaluation/replay-event.ts'
import { useStores } from '../../../bot/stores.ts'
import { useAdmin } from '../../serve-admin.ts'

const stores = useStores()
const service = `s-${randomUUID()}`
const admin = useAdmin(() => ({ journal: stores.journal, service }))
const ask = (path: string, token = 'admin-token') =>
  admin.ask(`/merge-requests${path}`, { headers: { authorization: `Bearer ${token}` } })

test('has the pushes to the branch and the pending events', async () => {
  const by = { id: 3, username: 'ann' }
  const event = { kind: 'note.create', project: 7, iid: 2, actor: by, at: '2026-11-21T10:00:00.000Z' }
  await stores.journal.saveMemory({ service, project: 7, iid: 2 }, { rules: {}, pushes: [], approvedSha: 'abc' })
  await stores.journal.addPush({ service, project: 8, branch: 'a/b' }, { from: null, to: 'abc', by }, 'd-push')
  await stores.journal.addPendingEvent({ service, project: 7, iid: 2 }, { deliveryId: 'd-note', event })
  // A replay is no event.
  await stores.journal.addPendingEvent(
    { service, project: 7, iid: 2 },
    replayEvent({ of: 'delivery', id: 'd-note', number: 1 }, event.at),
  )
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

test('is empty for a merge request that was never evaluated, and for the project itself', async () => {
  const nothing = {
    status: 200,
    body: { service, memory: { rules: {}, pushes: [] }, events: [], mergeRequestPipelines: false },
  }
  expect([await ask('/9/1/memory'), await ask('/9/0/memory')]).toEqual([nothing, nothing])
})

test('needs the token and a valid merge request', async () => {
  expect((await ask('/7/2/memory', 'wrong')).status).toBe(401)
  for (const path of ['/x/2/memory', '/7/-1/memory', '/7/2/memory?source_project=x', '/7/2/memory?other=1'])
    expect((await ask(path)).status).toBe(400)
})
