// Pages name merge requests by path and title, also in their titles, and link to the service.
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import type { Call, RuleTrace } from '../../../src/rules/types.ts'
import { useStores } from '../../bot/stores.ts'
import { appUrl, nameHotelApp, saveNamed } from '../../cli/hotel-app.ts'
import { decision, delivery, matchedRule } from '../../suites/journal/records.ts'
import { nothing, queuesOf, queueWith, type serveAdmin, TOKEN, useAdmin } from '../serve-admin.ts'
import { logIn, type Visitor } from './visitor.ts'

const stores = useStores({ own: true })
const at = '2026-11-21T10:00:00.000Z'
const full = 'hotel/app!2 · Bump left-pad'
const fullIssue = 'hotel/app#2 · The door is shut'
const issue = issueRef(7, 2)
const link = (page: string) => `<a href="${appUrl}${page}">Open in the service</a>`
const given = (): Parameters<typeof serveAdmin>[0] => ({
  journal: stores.journal,
  queues: queuesOf(() => queueWith()),
  paused: { list: async () => [], pause: async () => {}, resume: async () => 0 },
  dryRun: async () => ({ ok: true, decision: nothing }),
  newRuleLimit: async () => ({ perHour: 1, newRules: [], full: { approve: at } }),
  allowNewRules: async (project) => void allowed.push(project),
  sweep: async (of, dryRun) => ({ id: 'w', of, dryRun, state: 'waiting', askedAt: at, projects: [], calls: 0 }),
})
const admin = useAdmin(given, { now: () => Date.parse(at) + 60_000 })
const allowed: number[] = []
let visitor: Visitor

beforeAll(async () => {
  const { journal } = stores
  await nameHotelApp(journal)
  await journal.decisions.save(decision({ project: 7, iid: 2 }, at, 'd-2'))
  const named = { title: 'The door is shut', url: `${appUrl}/-/issues/2` }
  await saveNamed(journal, { id: 'd-issue', kind: 'issue.open', of: issue, at, ...named })
  const onIssue = decision(issue, at, 'd-on-issue')
  await journal.decisions.save({ ...onIssue, deliveries: ['d-issue'], files: [{ path: '.bellhop.yml', blob: null }] })
  visitor = await logIn(admin, TOKEN)
})

test.each([
  ['/decisions/d-2', `Decision on ${full}`, link('/-/merge_requests/2')],
  ['/merge-requests/7/2', full, link('/-/merge_requests/2')],
  ['/decisions/d-2', `Decision on ${full}`, 'Not merged: no rule merges it.'],
  ['/merge-requests/7/2', full, 'Not merged: no rule merges it.'],
  ['/projects/7', 'hotel/app', link('')],
  ['/projects/7', 'hotel/app', '<a href="/admin/issues/7/2">hotel/app#2 · The door is shut</a>'],
  ['/projects/7', 'hotel/app', '<a href="/admin/merge-requests/7/2">hotel/app!2 · Bump left-pad</a>'],
  ['/projects/7', 'hotel/app', 'href="/admin/decisions?project=hotel%2Fapp"'],
  ['/issues/7/2', fullIssue, link('/-/issues/2')],
  ['/issues/7/2', fullIssue, 'action="/admin/issues/7/2/explain"'],
  ['/issues/7/2', fullIssue, '<a href="/admin/deliveries/d-issue">Somebody opened it</a>'],
  ['/issues/7/3', 'hotel/app#3', 'No delivery named this issue within the retention time.'],
  ['/decisions/d-on-issue', `Decision on ${fullIssue}`, 'No rule of hotel/app is for issues.'],
  ['/decisions', 'Decisions', '<a href="/admin/issues/7/2">hotel/app#2 · The door is shut</a>'],
  ['/deliveries', 'Deliveries', '<a href="/admin/issues/7/2">hotel/app#2 · The door is shut</a>'],
  ['/deliveries/d-issue', 'Delivery d-issue', '<dt>Issue</dt>'],
  ['/rules/try?project=7&iid=2&subject=issue', 'Rule editor', '<option value="issue" selected>'],
  ['/rules/try?project=7&iid=2', 'Rule editor', '>hotel/app</a>'],
  ['/deliveries/d-named', 'Delivery d-named', full],
])('%s', async (path, title, part) => {
  const { html } = await visitor.get(path)
  expect(html).toContain(`<title>${title} · Bellhop</title>`)
  expect(html).toContain(part)
})

test.each([
  ['/merge-requests/7/2/explain', full],
  ['/issues/7/2/explain', fullIssue],
])('the form %s explains, and may be sent again', async (path, name) => {
  const { html } = await visitor.post(path, { csrf: await visitor.csrf() })
  expect(html).toContain(`<title>Explanation of ${name} · Bellhop</title>`)
  expect(html).toContain(`action="/admin${path}"`)
})

test('what people must do comes first of what blocks a merge, with how to fix it', async () => {
  const leaf = (condition: string, toFix: string) =>
    ({ condition, verdict: 'false', expected: 'x', actual: 'y', toFix }) as const
  const children = [leaf('pipeline', 'a green one'), leaf('approved_by (stale counts)', 'approval by carol')]
  const merge = matchedRule('merge', 'false')
  const rule: RuleTrace = { ...merge, leadsTo: 'merge', conditions: { ...merge.conditions, children } }
  await stores.journal.decisions.save({ ...decision({ project: 7, iid: 9 }, at, 'd-9'), rules: [rule] })
  const { html } = await visitor.get('/merge-requests/7/9')
  expect(html).toMatch(/<b>Missing: <\/b>approved by.*To fix: approval by carol.*<li>pipeline.*To fix: a green one/s)
  const waiting = /<caption[^>]*>Waiting for people<.*?<\/table>/s.exec((await visitor.get('')).html)?.[0]
  expect(waiting).toContain('approval by carol')
  expect(waiting).not.toContain('a green one')
})

test('an issue has no verdict', async () => {
  for (const path of ['/issues/7/2', '/decisions/d-on-issue'])
    expect((await visitor.get(path)).html).not.toContain('class="verdict"')
})

test('the dry run of a delivery names its issue', async () => {
  const { html } = await visitor.post('/deliveries/d-issue/replay', { csrf: await visitor.csrf(), dry_run: 'true' })
  expect(html).toContain(`Issue <a href="/admin/issues/7/2">${fullIssue}</a>`)
})

test.each(['/decisions', '/deliveries'])('the filter of %s takes an issue or a merge request', async (path) => {
  const { html } = await visitor.get(`${path}?project=hotel/app%232`)
  expect(html).toContain('Filter: Project: hotel/app#2')
  expect(html).toContain('href="/admin/issues/7/2"')
  expect(html).not.toContain('href="/admin/merge-requests/')
  const field = /<input[^>]*name="project"[^>]*>/.exec((await visitor.get(`${path}?project=hotel/app!2`)).html)?.[0]
  expect(field).toMatch(/^(?!.*pattern).*value="hotel\/app!2"/)
})

test('the audit log names projects and merge requests', async () => {
  const to = { project: 7 }
  const entry = { at: '2026-11-21T11:00:00.000Z', by: 'admin' }
  await stores.journal.audit.save({ ...entry, id: 'a-1', operation: 'pause', to })
  await stores.journal.audit.save({ ...entry, id: 'a-2', operation: 'explain', to: { ...to, project: '7', iid: '2' } })
  const ofIssue = { ...to, project: '7', iid: '2', subject: 'issue' }
  await stores.journal.audit.save({ ...entry, id: 'a-3', operation: 'explain_issue', to: ofIssue })
  const { html } = await visitor.get('/queue')
  expect(html).toContain('project=hotel/app<')
  expect(html).toContain('merge_request=hotel/app!2<')
  expect(html).toContain('issue=hotel/app#2<')
})

test('a list reads equal outcomes and equal names of rules once', async () => {
  const call: Call = { action: 'accept', to: 'service', endpoint: 'mergeRequests.accept', params: {}, rules: [] }
  const response = { call, status: 200, result: 'done', at, tookMs: 4 } as const
  await stores.journal.decisions.save({
    ...decision({ project: 7, iid: 4 }, at),
    rules: ['a', 'b'].map((key) => ({ ...matchedRule('merge it'), key })),
    calls: [call, call, call, call],
    responses: [response, response],
  })
  const { html } = await visitor.get('/decisions?project=7&iid=4')
  expect(html.match(/accept: [a-z ]+/g)).toEqual(['accept: done', 'accept: not sent'])
  expect(html.match(/<span>(, )?merge it/g)).toHaveLength(1)
  expect((await visitor.get('/merge-requests/7/4')).html).toContain('>Merged. 2 calls not sent.</a>')
})

test('what is blocked is not “nothing to do”, and only what blocks a merge, approval or close is yellow', async () => {
  const actions = [{ action: 'accept', result: 'blocked', detail: 'conflict' } as const]
  const unmet = { condition: 'draft', verdict: 'false', expected: 'true', actual: 'false' } as const
  const labels = { ...matchedRule('label it'), verdict: 'false' as const, conditions: unmet }
  const rules = [{ ...matchedRule('merge it'), leadsTo: 'merge' as const, actions }, labels]
  await stores.journal.decisions.save({ ...decision({ project: 7, iid: 5 }, at, 'd-held'), rules })
  const { html } = await visitor.get('/decisions?project=7&iid=5')
  expect(html).toContain('accept: blocked (conflict)')
  expect(html).not.toContain('nothing to do')
  expect((await visitor.get('/decisions/d-held')).html.match(/class="blocker[ a-z]*"/g)).toEqual([
    'class="blocker warn"',
    'class="blocker"',
  ])
  expect((await visitor.get('/merge-requests/7/5')).html).toContain(
    'Rule &quot;merge it&quot; asked to merge it: blocked, conflict.',
  )
})

test('a project whose patterns take too long says so, with the newest decision', async () => {
  const [expected, actual] = ['w', 'more: 20,000,001 were reached']
  for (const [iid, condition] of ['labels', 'pattern matching', 'pattern matching'].entries()) {
    const conditions = { condition, verdict: 'unknown' as const, expected, actual }
    const record = decision({ project: 8, iid: iid + 1 }, `2026-11-21T10:00:0${iid}.000Z`, `slow-${iid}`)
    await stores.journal.decisions.save({ ...record, rules: [{ ...matchedRule('n'), conditions }] })
  }
  const { html } = await visitor.get('/projects/8')
  expect(html).toContain(
    'The rules of 2 merge requests and issues are unknown. Matching their patterns takes more: 20,000,001',
  )
  expect(html).toMatch(/href="\/admin\/decisions\/slow-2">Show the newest decision/)
  expect((await visitor.get('/projects/7')).html).not.toContain('Matching their patterns')
})

test('what the new-rule limit holds back can be allowed where it is shown', async () => {
  const of = [{ project: 7, iid: 2 }]
  const event = { kind: 'push', actor: {}, at, project: 7 }
  const received = delivery({ state: 'read', mergeRequests: of })
  await stores.journal.deliveries.save(received, { pending: { of, event: { deliveryId: received.id, event } } })
  expect((await visitor.get('/')).html).toContain('action="/admin/projects/7/allow-new-rules"')
  const { status } = await visitor.post('/projects/7/allow-new-rules', { csrf: await visitor.csrf('/') })
  expect([status, allowed]).toEqual([303, [7]])
})
