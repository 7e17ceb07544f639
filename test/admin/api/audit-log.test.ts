// Scopes, and the audit log of every write.
import { adminOpenApi } from '../../../src/admin/api/openapi.ts'
import { adminRoutes } from '../../../src/admin/api/routes/index.ts'
import { JournalUnavailable } from '../../../src/journal/errors.ts'
import type { AuditEntry } from '../../../src/journal/types.ts'
import { useStores } from '../../bot/stores.ts'
import { jsonPost, useAdmin } from '../serve-admin.ts'

const stores = useStores({ own: true })
const tokens = {
  reader: { name: 'reader', scopes: ['read'], token: 'reader-token-0123' },
  bob: { name: 'bob', scopes: ['replay'], token: 'bob-token-01234567' },
} as const
let isRecorded = true
const seen: string[] = []
const replay = async (id: string) => {
  if (id === 'breaks') throw new Error('the bot broke')
  const [entry] = (await stores.journal.audit.list({ limit: 1 })).items
  seen.push(`${entry?.by} ${entry?.operation} ${entry?.status}`)
  return id === 'd-1' ? ({ is: 'replayed', number: 1 } as const) : ({ is: 'unknown' } as const)
}
const admin = useAdmin(
  () => {
    const { audit } = stores.journal
    const unreachable = () => Promise.reject(new JournalUnavailable('the journal is unreachable'))
    const save: typeof audit.save = (entry) => (isRecorded ? audit.save(entry) : unreachable())
    const journal = { ...stores.journal, audit: { ...audit, save } }
    return { journal, replay: { delivery: replay, decision: replay } }
  },
  { tokens: Object.values(tokens) },
)

const as = (who: keyof typeof tokens, path: string, init: RequestInit = {}) =>
  admin.ask(path, {
    ...init,
    headers: { authorization: `Bearer ${tokens[who].token}`, 'content-type': 'application/json' },
  })
const entries = async () => ((await as('reader', '/audit')).body as { items: AuditEntry[] }).items

test('a write is recorded with token and reason before it runs, and with its status afterwards', async () => {
  const body = JSON.stringify({ why: 'the mirror was down' })
  expect((await as('bob', '/deliveries/d-1/replay')).status, 'by GET').toBe(404)
  expect((await as('bob', '/deliveries/d-1/replay', { method: 'POST', body })).status).toBe(202)
  expect(seen).toEqual(['bob replay_delivery undefined'])
  expect((await as('bob', '/deliveries/d-2/replay?id=d-1', { method: 'POST' })).status).toBe(400)
  expect((await as('bob', '/deliveries/d-3/replay', { method: 'POST' })).status).toBe(404)
  expect((await as('bob', '/deliveries/breaks/replay', { method: 'POST' })).status).toBe(500)
  const found = (await entries()).map(({ by, operation, to, why, status }) => ({ by, operation, to, why, status }))
  const one = { by: 'bob', operation: 'replay_delivery' }
  expect(found).toHaveLength(4)
  expect(found).toEqual(
    expect.arrayContaining([
      { ...one, to: { id: 'd-1' }, why: 'the mirror was down', status: 202 },
      { ...one, to: { id: 'd-2' }, status: 400 },
      { ...one, to: { id: 'd-3' }, status: 404 },
      { ...one, to: { id: 'breaks' } },
    ]),
  )
})

test('a write that cannot be recorded in the audit log is not done', async () => {
  seen.length = 0
  isRecorded = false
  expect((await admin.ask('/deliveries/d-1/replay', jsonPost({}))).status).toBe(500)
  isRecorded = true
  expect(seen).toEqual([])
})

test('an invalid body or reason is 400', async () => {
  const status = async (body: string) => (await as('bob', '/deliveries/d-9/replay', { method: 'POST', body })).status
  expect([await status('{'), await status(JSON.stringify({ why: 'x'.repeat(501) }))]).toEqual([400, 400])
  expect(await status(`{"why":"${'x'.repeat(200_000)}"}`)).toBe(413)
})

test('the OpenAPI document needs a token', async () => {
  const body = JSON.parse(JSON.stringify(adminOpenApi(adminRoutes)))
  expect(await as('bob', '/openapi.json')).toEqual({ status: 200, body })
  expect((await admin.ask('/openapi.json', { headers: {} })).status).toBe(401)
})
