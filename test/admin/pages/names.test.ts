// Pages name merge requests by path and title, also in their titles, and link to the service.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../src/rules/types.ts'
import { useStores } from '../../bot/stores.ts'
import { appUrl, nameHotelApp } from '../../cli/hotel-app.ts'
import { queuesOf, type ServedAdmin, serveAdmin, TOKEN } from '../serve-admin.ts'
import { logIn, type Visitor } from './visitor.ts'

const stores = useStores({ own: true })
const decision = { rules: [], calls: [], responses: [], head: null, files: [] }
const full = 'hotel/app!2 · Bump left-pad'
const link = (page: string) => `<a href="${appUrl}${page}">Open in the service</a>`
let admin: ServedAdmin
let visitor: Visitor

beforeAll(async () => {
  const { journal } = stores
  await nameHotelApp(journal)
  const mergeRequest = { service: 's', project: 7, iid: 2 }
  const at = '2026-11-21T10:00:00.000Z'
  await journal.saveDecision({ ...decision, id: 'd-2', mergeRequest, at, deliveries: [], tookMs: 1 })
  admin = await serveAdmin({
    journal,
    queues: queuesOf(() => stores.queue.queue<unknown>(`queue-${randomUUID()}`)),
    paused: { list: async () => [], pause: async () => {}, resume: async () => 0 },
    dryRun: async () => ({ ok: true, decision }),
  })
  visitor = await logIn(admin, TOKEN)
})
afterAll(() => {
  admin.server.close()
})

test.each([
  ['/decisions/d-2', `Decision on ${full}`, link('/-/merge_requests/2')],
  ['/merge-requests/7/2', full, link('/-/merge_requests/2')],
  ['/projects/7', 'hotel/app', link('')],
  ['/rules/try?project=7&iid=2', 'Rule editor', '>hotel/app</a>'],
  ['/deliveries/d-named', 'Delivery d-named', full],
])('%s', async (path, title, part) => {
  const { html } = await visitor.get(path)
  expect(html).toContain(`<title>${title} · Bellhop</title>`)
  expect(html).toContain(part)
})

test('what the form of a merge request shows', async () => {
  const { html } = await visitor.post('/merge-requests/7/2/explain', { csrf: await visitor.csrf() })
  expect(html).toContain(`<title>Explanation of ${full} · Bellhop</title>`)
})

test.each(['/decisions', '/deliveries'])('the filter of %s takes a path, or a merge request', async (path) => {
  const { html } = await visitor.get(`${path}?project=hotel/app!2`)
  expect(html).toContain('Filter: Project: hotel/app!2')
  const field = /<input[^>]*name="project"[^>]*>/.exec(html)?.[0] ?? ''
  expect(field).toContain('value="hotel/app!2"')
  expect(field).not.toContain('pattern')
})

test('the queue page pauses a project by its path', async () => {
  const { html } = await visitor.get('/queue')
  expect(/<input[^>]*name="project"[^>]*>/.exec(html)?.[0]).not.toContain('pattern')
  const answer = await visitor.post('/queue/pause', { project: 'hotel/app', csrf: await visitor.csrf() })
  expect(answer.status).toBe(303)
})

test('a project’s page leads to its decisions by its path', async () => {
  expect((await visitor.get('/projects/7')).html).toContain('href="/admin/decisions?project=hotel%2Fapp"')
})

test('the audit log names projects and merge requests', async () => {
  const to = { service: 's', project: 7 }
  const entry = { at: '2026-11-21T11:00:00.000Z', by: 'admin' }
  await stores.journal.saveAudit({ ...entry, id: 'a-1', operation: 'pause', to })
  await stores.journal.saveAudit({ ...entry, id: 'a-2', operation: 'explain', to: { ...to, project: '7', iid: '2' } })
  const { html } = await visitor.get('/audit')
  expect(html).toContain('service=s project=hotel/app<')
  expect(html).toContain('service=s merge_request=hotel/app!2<')
})

test('a list reads equal outcomes and equal names of rules once', async () => {
  const call: Call = { action: 'accept', endpoint: 'mergeRequests.accept', params: {}, rules: [] }
  const response = { call, status: 200, result: 'done', at: '2026-11-21T10:00:00.000Z', tookMs: 4 } as const
  const conditions = { condition: 'all', verdict: 'true', expected: '', actual: '' } as const
  const rule = { name: 'merge it', file: 'f', line: 1, verdict: 'true', became: false } as const
  await stores.journal.saveDecision({
    ...{ id: 'd-4', mergeRequest: { service: 's', project: 7, iid: 4 }, deliveries: [], tookMs: 1 },
    ...{ head: null, files: [] },
    at: '2026-11-21T10:00:00.000Z',
    rules: ['a', 'b'].map((key) => ({ ...rule, key, fingerprint: key, conditions, actions: [] })),
    calls: [call, call, call, call],
    responses: [response, response],
  })
  for (const path of ['/decisions?project=7&iid=4', '/merge-requests/7/4']) {
    const { html } = await visitor.get(path)
    expect(html.match(/accept: [a-z ]+/g), path).toEqual(['accept: done', 'accept: not sent'])
    expect(html.match(/<span>(, )?merge it/g), path).toHaveLength(1)
  }
})
