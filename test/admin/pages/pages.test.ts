// The pages over a journal: hostile texts are escaped, forms need their scope, and errors have a page.
import type { DecisionRecord, DeliveryRecord } from '../../../src/journal/types.ts'
import type { Call, Trace } from '../../../src/rules/types.ts'
import { useStores } from '../../bot/stores.ts'
import { queuesOf, queueWith, TOKEN, useAdmin } from '../serve-admin.ts'
import { logIn, type Visitor } from './visitor.ts'

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>' & javascript:alert(1) {{title}} \u202e`
const stores = useStores({ own: true })
const ref = { project: 7, iid: 3 }
const at = '2026-11-22T10:00:00.000Z'
/** When pages are asked for. */
const asked = '2026-11-22T10:01:00.000Z'
const trace: Trace = { condition: evil, verdict: 'false', expected: evil, actual: evil, toFix: evil }
const children = [trace, { ...trace, children: [trace] }]
const conditions: Trace = { condition: 'all', verdict: 'false', expected: evil, actual: evil, children }
const call: Call = {
  ...{ to: 'service', endpoint: 'mergeRequests.update', params: { id: 7, title: evil } },
  ...{ action: evil, rules: [`${evil}#${evil}`] },
}
const decision: DecisionRecord = {
  ...{ id: `decision ${evil}`, mergeRequest: ref, at, deliveries: [`delivery ${evil}`], tookMs: 12, head: evil },
  ...{ files: [{ path: evil, blob: evil, commit: evil }], paused: evil, uncertain: [evil], evaluation: evil },
  ...{ changesAt: at, againInMs: 1_000 },
  replayOf: [{ of: 'delivery', id: evil, number: 1 }],
  rules: [
    {
      ...{ key: 'k', name: evil, file: evil, line: 1, verdict: 'false', became: false, fingerprint: 'f', conditions },
      actions: [{ action: evil, result: 'blocked', detail: evil, conditions, limitedUntil: at }],
    },
  ],
  calls: [call, call],
  responses: [{ call, status: 403, result: 'refused', message: evil, at, tookMs: 1 }],
  dryRunCalls: [call],
}
const unsent = { ...decision, responses: [] }
const delivery: Omit<DeliveryRecord, 'replays'> = {
  ...{ id: `delivery ${evil}`, receivedAt: at, header: evil, bytes: 3 },
  ...{ state: 'refused', reason: evil, mergeRequests: [ref] },
  event: { kind: evil, project: 7, actor: { username: evil }, at, ref: evil, changed: [evil] },
}
const trialText = `version: 1
# </textarea>${evil}
rules: [{ name: a, if: { author: alice }, then: { subscribe: true } }]
`
const page = (kind: string, id: string) => `/${kind}/${encodeURIComponent(id)}`

const replayed: { id: string; by: string; why: string | undefined }[] = []
const job = {
  ...{ id: evil, data: ref, state: 'failed' as const, attempts: 3, addedAt: Date.parse(at), failure: evil },
}
const queue = queueWith({
  counts: async () => ({ waiting: 1, active: 0, delayed: 0, failed: 1, completed: 0 }),
  ...{ list: async () => [job], isPaused: async () => true },
})
const none = () => Promise.reject(new Error('it is not asked for that'))
const admin = useAdmin(
  () => ({
    journal: stores.journal,
    queues: queuesOf(() => queue),
    paused: { list: async () => [{ project: 7, at, by: evil, why: evil }], pause: none, resume: none },
    status: () => ({
      ...{ service: { is: 'fine' }, capacity: { is: 'available' } },
      rateLimit: { remaining: 41, resetAt: Date.parse(asked) + 120_000 },
    }),
    dryRun: async (_ref, overrides) =>
      overrides?.events.length === 1 ? { ok: false, reason: evil } : { ok: true, decision: unsent },
    ruleTrials: {
      text: async () => ({ path: '.bellhop.yml', text: evil }),
      explain: async () => ({ ok: true, decision: unsent }),
      backtest: async () => ({
        ok: true,
        backtest: {
          ...{ found: 1, calls: { made: 1, planned: 1, most: 1 }, stopped: { reason: evil, failed: true } },
          outcomes: [
            {
              ...{ iid: 1, title: evil, state: evil, decided: false },
              rules: [{ rule: evil, file: evil, verdict: 'true', actions: [], unknown: [evil] }],
            },
          ],
        },
      }),
    },
    replay: {
      delivery: async (id, by, why) => {
        if (id === 'since') return { is: 'body_expired' }
        replayed.push({ id, by, why })
        return { is: 'replayed', number: 2 }
      },
      decision: async () => ({ is: 'body_expired' }),
    },
  }),
  { tokens: [{ name: 'reader', scopes: ['read'], token: 'reader-token-0123' }], now: () => Date.parse(asked) },
)
let visitor: Visitor
beforeAll(async () => {
  const { journal } = stores
  const body = { text: JSON.stringify({ title: evil, token: 'hush' }), keepMs: 60_000 }
  await journal.deliveries.save(delivery, { body })
  await journal.decisions.save(decision)
  await journal.decisions.addReplay(decision.id, { at, by: evil, why: evil })
  await journal.deliveries.addReplay(delivery.id, { at, by: evil, why: evil })
  await journal.audit.save({ id: 'a', at, by: evil, operation: evil, to: { id: evil, deep: { a: evil } }, why: evil })
  visitor = await logIn(admin, TOKEN)
})

/** What the form of a page that goes there would send, as far as nobody has to fill it in. */
function fieldsOf(html: string, action: string): Record<string, string> {
  const form = html.split('<form ').find((each) => each.includes(`action="${action}"`)) ?? ''
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
}

/** What a browser would make of the page: no element and no attribute of the hostile texts. */
function expectHarmless(html: string) {
  expect(html).not.toContain('<script>')
  expect(html).not.toMatch(/<img|<[^>]*\sonerror=/)
  expect(html).not.toMatch(/href="javascript:/)
  expect(html).not.toContain('hush')
  expect(html.match(/<script /g)).toHaveLength(1)
}

describe('hostile texts are texts', () => {
  test.each([
    '/deliveries',
    page('deliveries', delivery.id),
    '/decisions',
    page('decisions', decision.id),
    '/merge-requests/7/3',
    '/projects/7',
    '/queue',
    '/queue?queue=mergeRequests',
    '/queue?queue=deliveries&state=waiting',
    '/rules/try?project=7',
    `/deliveries?kind=${encodeURIComponent(evil)}`,
    `/decisions?rule=${encodeURIComponent(evil)}`,
  ])('on %s', async (path) => {
    const { status, html } = await visitor.get(path)
    expect(status).toBe(200)
    expect(html).toContain('&lt;script>alert(1)')
    expectHarmless(html)
  })

  test.each([
    `/queue?queue=${encodeURIComponent(evil)}`,
    `/deliveries?${encodeURIComponent(evil)}=1`,
    `/${encodeURIComponent(evil)}`,
  ])('in the address %s', async (path) => {
    const { status, html } = await visitor.get(path)
    expect([400, 404]).toContain(status)
    expectHarmless(html)
  })

  test('in what follows a form, and on the page to log in', async () => {
    const csrf = await visitor.csrf()
    const asked: [string, Record<string, string>][] = [
      [`${page('deliveries', delivery.id)}/replay`, { dry_run: 'true' }],
      [`${page('decisions', decision.id)}/replay`, { dry_run: 'true' }],
      ['/merge-requests/7/3/explain', {}],
      ['/merge-requests/7/3/explain', { overrides: 'event=note.create' }],
      ['/merge-requests/7/3/explain', { overrides: evil }],
      ['/queue/deliveries/discard', { state: evil }],
      ['/replays', { state: 'refused', dry_run: 'true' }],
      ['/replays', { kind: evil, dry_run: 'true' }],
      ['/rules/try', { text: evil }],
      ['/rules/try', { text: `version: 1\nrules: [${JSON.stringify(evil)}]` }],
      ['/rules/try', { text: trialText, do: 'explain', project: '7', iid: '3', overrides: evil }],
      ['/rules/try', { text: trialText, do: 'explain', project: '7', iid: '3' }],
      ['/rules/try', { text: trialText, do: 'backtest', project: '7' }],
    ]
    for (const [path, fields] of asked) expectHarmless((await visitor.post(path, { csrf, ...fields })).html)
    const { html } = await visitor.post('/login', { token: 'x', next: `/admin/${evil}` })
    expect(html).not.toMatch(/<script>|<img/)
  })
})

test('a token with the scope read sees no other forms, and cannot submit them', async () => {
  const reader = await logIn(admin, 'reader-token-0123')
  for (const path of [
    '/deliveries?state=refused',
    page('deliveries', delivery.id),
    page('decisions', decision.id),
    '/merge-requests/7/3',
    '/projects/7',
    '/queue',
    '/queue?queue=deliveries',
  ]) {
    const { html } = await reader.get(path)
    expect(html.match(/<form[^>]*method="post"[^>]*>/g), path).toEqual([
      '<form class="user" method="post" action="/admin/logout">',
    ])
  }
  const csrf = await reader.csrf()
  for (const path of [`${page('deliveries', delivery.id)}/replay`, '/queue/pause', '/merge-requests/7/3/explain']) {
    const { status, html } = await reader.post(path, { csrf })
    expect([status, html], path).toEqual([403, expect.stringContaining('lacks the scope')])
  }
})

describe('forms', () => {
  test('redirect to a page that confirms it; the audit log has token and reason', async () => {
    const path = page('deliveries', delivery.id)
    const { status, headers } = await visitor.post(`${path}/replay`, { csrf: await visitor.csrf(), why: 'to see' })
    expect([status, headers.get('location')]).toEqual([303, `/admin${path}?done=replay_delivery`])
    expect((await visitor.get(`${path}?done=replay_delivery`)).html).toContain('Enqueued again.')
    const { items } = await stores.journal.audit.list({ limit: 100 })
    const done = { by: 'admin', operation: 'replay_delivery', to: { id: delivery.id }, status: 202 }
    expect(items.find(({ why }) => why === 'to see')).toMatchObject(done)
  })

  test('replay a selection as it was counted, without newer deliveries', async () => {
    const { html } = await visitor.get('/deliveries?state=refused')
    const fields = fieldsOf(html, '/admin/replays')
    expect(fields).toMatchObject({ state: 'refused', until: asked, dry_run: 'true' })
    const dry = (await visitor.post('/replays', fields)).html
    expect(dry).toContain('Dry run for 1 delivery')
    expect(dry).toContain('Merge request <a')
    const forGood = fieldsOf(dry, '/admin/replays')
    expect(forGood).toMatchObject({ state: 'refused', until: asked, dry_run: 'false', count: '1' })
    await stores.journal.deliveries.save({ ...delivery, id: 'since', receivedAt: asked })
    const late = await visitor.post('/replays', { ...forGood, until: '2026-11-22T11:00:00.000Z' })
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('matches another number')])
    const { status, headers } = await visitor.post('/replays', { ...forGood, why: 'all at once' })
    expect([status, headers.get('location')]).toEqual([303, '/admin/deliveries?done=replay_selection&count=1'])
    const again = { id: delivery.id, by: 'admin', why: 'all at once' }
    expect(replayed.filter(({ why }) => why === again.why)).toEqual([again])
    const partly = await visitor.post('/replays', { ...forGood, until: '2026-11-22T11:00:00.000Z', count: '2' })
    expect([partly.status, partly.html]).toEqual([200, expect.stringContaining('1 delivery enqueued again.')])
    expect(partly.html).toMatch(/<li><a [^>]*>since<\/a><\/li><\/ul>/)
  })

  test('with an error of the API end in an error page', async () => {
    const { status, html } = await visitor.post(`${page('decisions', decision.id)}/replay`, {
      csrf: await visitor.csrf(),
    })
    expect([status, html]).toEqual([410, expect.stringContaining('its body is no longer stored')])
  })

  test('without the CSRF token do nothing', async () => {
    const before = await stores.journal.audit.list({ limit: 100 })
    expect((await visitor.post('/queue/pause', {})).status).toBe(403)
    expect(await stores.journal.audit.list({ limit: 100 })).toEqual(before)
  })

  test('exist only as POST, for operations that a page offers', async () => {
    expect((await visitor.get(`${page('deliveries', delivery.id)}/replay`)).status).toBe(404)
    expect((await visitor.post('/sweeps', { csrf: await visitor.csrf(), of: 'a' })).status).toBe(404)
  })
})

test.each([
  ['/nothing', 404],
  ['/api.html', 404],
  ['/deliveries/x/y', 404],
  ['/deliveries?limit=201', 400],
  [`/deliveries?kind=${'x'.repeat(5_000)}`, 400],
  ['/deliveries/unknown', 404],
  ['/deliveries/%00', 404],
  ['/deliveries/%E0%A4', 400],
  ['/projects/x', 400],
  ['/queue?queue=deliveries&state=odd', 400],
  ['/decisions?iid=3', 400],
])('%s is a page with status %i', async (path, status) => {
  const answer = await visitor.get(path)
  expect([answer.status, answer.html]).toEqual([status, expect.stringContaining('role="alert"')])
})

test('the page of a decision that the new-rule limit held back says so', async () => {
  const { html } = await visitor.get(page('decisions', decision.id))
  expect(html).toMatch(/<p class="notice">New rules of this project reached their limit .* until Sun 22 Nov 10:00 UTC/)
})

test('an unknown merge request can be explained', async () => {
  const { status, html } = await visitor.get('/merge-requests/7/4')
  expect([status, html]).toEqual([200, expect.stringContaining('Explain now')])
  expect(html).toContain('No history.')
})

test('times of a filter are in UTC', async () => {
  const { html } = await visitor.get('/deliveries?since=2026-11-22T09:59&until=2026-11-22T10:01&project=&kind=')
  expect(html).toContain('title="2026-11-22 10:00:00 UTC"')
  expect((await visitor.get('/deliveries?since=2026-11-22T11:00')).html).toContain('No matches.')
})

test('decisions are filtered by outcome, and deliveries by matched rule', async () => {
  const failed = (await visitor.get('/decisions?outcome=failed')).html
  expect(failed).toContain('<option value="failed" selected>failed</option>')
  expect(failed).not.toContain('No matches.')
  expect((await visitor.get('/decisions?outcome=acted')).html).toContain('No matches.')
  const { html } = await visitor.get('/deliveries?rule=another')
  expect(html).toMatch(/<input [^>]*name="rule" value="another"/)
  expect(html).toContain('No matches.')
})

test('the overview shows the rate limit', async () => {
  const { html } = await visitor.get('')
  expect(html).toContain('<dt>Requests left</dt><dd>41, resets in 2 min.</dd>')
})
