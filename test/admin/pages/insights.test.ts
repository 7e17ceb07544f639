// Insights over a journal: the page, its file and the admin API show the same, and hostile names stay texts.
import { pastRulesId, pastRulesOperation } from '../../../src/journal/tables/audit.ts'
import { useStores } from '../../bot/stores.ts'
import { delivery, ruleFile } from '../../suites/journal/records.ts'
import { TOKEN, useAdmin } from '../serve-admin.ts'
import { logIn, type Visitor, visit } from './visitor.ts'

const stores = useStores({ own: true })
const now = Date.parse('2026-11-25T12:00:00.000Z')
const hour = 3_600_000
const formula = '=HYPERLINK("http://a")<script>alert(1)</script>'
const admin = useAdmin(() => ({ journal: stores.journal }), { now: () => now })
let visitor: Visitor

beforeAll(async () => {
  const { journal } = stores
  const tell = (iid: number, kind: string, username: string, hoursAgo: number) => {
    const at = new Date(now - hoursAgo * hour).toISOString()
    return journal.deliveries.save(
      delivery({ state: 'read', event: { kind, actor: { username }, at, project: 7, iid } }),
    )
  }
  await tell(1, 'merge_request.open', 'alice', 9)
  await journal.mergeRequests.save(
    { project: 7, iid: 1 },
    { waits: { waits: [{ at: now - 8 * hour, for: 'review' }], bot: 'bellhop' } },
  )
  await tell(1, 'note.create', 'bob', 7)
  await tell(1, 'merge_request.approved', 'bob', 6)
  await tell(1, 'merge_request.merge', 'bob', 5)
  await tell(2, 'merge_request.merge', 'bob', 4)
  await journal.ruleFiles.save(7, [{ ...ruleFile({ project: 7 }), projectPath: formula }])
  const past = (iid: number, hoursAgo: number, by: string, to: { failed: string[]; unknown: string[] }) =>
    journal.audit.save({
      ...{ id: pastRulesId(7, iid), at: new Date(now - hoursAgo * hour).toISOString(), by },
      ...{ operation: pastRulesOperation, to: { project: 7, iid, rule: '-1+1', ...to } },
    })
  await past(1, 5, '@<script>alert(2)</script>', { failed: ['=1+1', 'approved: expected true'], unknown: ['+labels'] })
  await past(2, 8 * 24, '', { failed: [], unknown: ['approvals_given'] })
  await past(3, 60 * 7 * 24, 'bob', { failed: ['pipeline'], unknown: [] })
  visitor = await logIn(admin, TOKEN)
})

const inApi = (path: string, token = TOKEN) =>
  fetch(`${admin.url}/admin/api${path}`, { headers: { authorization: `Bearer ${token}` } })

test('the page has a chart and a table of each figure that has a value, and what it means', async () => {
  const { status, html } = await visitor.get('/insights?weeks=2')
  expect(status).toBe(200)
  const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  for (const [title, time] of Object.entries({ 'First review': '2.0 h', Merge: '4.0 h', Review: '3.0 h' }))
    expect(html).toContain(`aria-label="${title}: ${time} in 2026-W48; at most ${time}, at 2026-W48."`)
  expect(text).toMatch(/Week Median 90 % Of 2026-W48 2\.0 h 1 /)
  expect(text).toMatch(/Week Sum Median Of 2026-W48 3\.0 h 3\.0 h 1 /)
  expect(html).toContain('<title>2026-W47: none</title>')
  expect(html).not.toContain('aria-label="Freeze')
  expect(text).toContain('1 merge request left out: Bellhop did not see the opening')
  expect(text).toContain('somebody other than the author and bots')
  expect(html).toContain('href="/admin/insights.csv?weeks=2"')
  expect(html).not.toContain('<script>alert')
})

test('a project and a number of weeks are chosen; others are refused', async () => {
  expect((await visitor.get('/insights?project=8')).html).toContain('Nothing ended yet.')
  expect((await visitor.get('/insights?weeks=14')).status).toBe(400)
  expect((await visitor.get('/insights.csv?weeks=0')).status).toBe(400)
})

test('the file is CSV without formulas, the same on the dashboard and in the admin API', async () => {
  const rows = [
    'project_id,project,week,figure,count,median_seconds,p90_seconds,total_seconds',
    ...[
      ['first_review', 1, 7200, '', 7200],
      ['approval', 1, 10800, '', 10800],
      ['merge', 1, 14400, '', 14400],
      ['waiting_review', 1, 10800, '', 10800],
      ['left_out', 1, '', '', ''],
    ].map((row) => `7,"'=HYPERLINK(""http://a"")<script>alert(1)</script>",2026-W48,${row.join(',')}`),
  ]
  const page = await visitor.get('/insights.csv')
  expect(page.html).toBe(`${rows.join('\r\n')}\r\n`)
  expect(page.headers.get('content-type')).toMatch(/^text\/csv/)
  expect(page.headers.get('content-disposition')).toBe('attachment; filename=insights.csv')
  const response = await inApi('/insights.csv')
  expect([response.headers.get('content-type'), await response.text()]).toEqual([
    page.headers.get('content-type'),
    page.html,
  ])
})

test('the admin API names the project, and needs a token', async () => {
  expect(await (await inApi('/insights?weeks=1')).json()).toMatchObject({
    ...{ complete: true, projectCount: 1, from: '2026-11-23T00:00:00.000Z' },
    weeks: [{ week: '2026-W48', leftOut: 1, figures: { merge: { count: 1, medianMs: 4 * hour } } }],
    projects: [{ project: 7, path: formula, leftOut: 1, weeks: [{ week: '2026-W48' }] }],
  })
  for (const path of ['/insights', '/insights.csv']) expect((await inApi(path, 'wrong-token')).status).toBe(401)
  expect((await visit(admin).get('/insights.csv')).html).not.toContain('project_id')
})

test('the overview counts merges and approvals by day', async () => {
  const { week } = (await (await inApi('/overview')).json()) as { week: { at: string }[] }
  const none = { merged: 0, approved: 0, labelled: 0 }
  expect(week.map(({ at }) => at.slice(8, 10))).toEqual(['19', '20', '21', '22', '23', '24', '25'])
  expect(week.slice(5)).toMatchObject([none, { ...none, merged: 2, approved: 1 }])
  expect((await visitor.get('')).html).toContain('aria-label="Merged: 2 today, 2 in 7 days; at most 2, at Wed 25."')
})

test('merges past the rules are on the page, with who merged and which conditions failed or are unknown', async () => {
  const { html } = await visitor.get('/insights?weeks=2')
  const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(text).toContain(
    '@&lt;script>alert(2)&lt;/script> -1+1 =1+1 approved: expected true could not be known: +labels',
  )
  expect(text).toMatch(/2026-W47 \S+!2 not known -1\+1 could not be known: approvals_given/)
  expect(text).not.toContain('!3')
  expect(html).toContain('href="/admin/past-merges.csv?weeks=2"')
  expect((await visitor.get('/insights?project=8')).html).toContain('None in these weeks.')
})

test('their file has a row for each condition, and no formula', async () => {
  const project = `7,"'=HYPERLINK(""http://a"")<script>alert(1)</script>"`
  const rows = [
    'project_id,project,week,merged_at,iid,merged_by,rule,verdict,condition',
    ...[
      ['failed', "'=1+1"],
      ['failed', 'approved: expected true'],
      ['unknown', "'+labels"],
    ].map((row) => `${project},2026-W48,2026-11-25T07:00:00.000Z,1,'@<script>alert(2)</script>,'-1+1,${row.join(',')}`),
    `${project},2026-W47,2026-11-17T12:00:00.000Z,2,,'-1+1,unknown,approvals_given`,
  ]
  const { html, headers } = await visitor.get('/past-merges.csv')
  expect(html).toBe(`${rows.join('\r\n')}\r\n`)
  expect(headers.get('content-disposition')).toBe('attachment; filename=past-merges.csv')
  const response = await inApi('/past-merges?project=7&weeks=57')
  expect(await response.json()).toMatchObject({ items: [{ iid: 1 }, { iid: 2, by: '' }], complete: true })
  expect((await inApi('/past-merges?weeks=58')).status).toBe(400)
})

test('the audit log shows them without a status', async () => {
  const { html } = await visitor.get('/queue')
  expect(html).toContain('merge_past_rules')
  expect(html).not.toContain('interrupted')
  expect(html).not.toContain('<script>alert')
})
