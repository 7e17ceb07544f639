// Issues in a real browser: their page, lists shared with merge requests, what the rules would decide; and Insights.
import type { Page } from 'playwright-core'
import type { MergeRequestRef } from '../../../src/rules/event-types.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import type { Call, Decision } from '../../../src/rules/types.ts'
import { useStores } from '../../bot/stores.ts'
import { appUrl, nameHotelApp, saveNamed } from '../../cli/hotel-app.ts'
import { delivery } from '../../suites/journal/records.ts'
import { type ServedAdmin, serveAdmin, TOKEN } from '../serve-admin.ts'
import { closeDashboard, fine, lookAt, noBrowser, openDashboard } from './browser.ts'

const stores = useStores({ own: true })
const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`
const issue = issueRef(7, 2)
const mergeRequest = { project: 7, iid: 2 }
const title = 'The door is shut, and nobody has the key to it'

function decided(name: string, call: Call): Decision {
  const conditions = { condition: 'state', verdict: 'true' as const, expected: 'opened', actual: 'opened' }
  const rule = { name, file: '.bellhop.yml', line: 3, verdict: 'true' as const, became: true, fingerprint: 'f' }
  return {
    ...{ calls: [call], responses: [], head: null, files: [{ path: '.bellhop.yml', blob: 'b'.repeat(40) }] },
    rules: [
      {
        ...{ ...rule, key: `.bellhop.yml#${name}`, conditions },
        actions: [{ action: 'label', result: 'call', detail: 'add "triage"' }],
      },
    ],
  }
}
const rules = (name: string) => [`.bellhop.yml#${name}`]
const ofIssue = decided('triage new issues', {
  ...{ to: 'service', endpoint: 'issues.update', action: 'label', rules: rules('triage new issues') },
  params: { id: 7, issue_iid: 2, add_labels: 'triage' },
})
const ofMergeRequest = decided('label documentation', {
  ...{ to: 'service', endpoint: 'mergeRequests.update', action: 'label', rules: rules('label documentation') },
  params: { id: 7, merge_request_iid: 2, add_labels: 'documentation' },
})
const saveDecision = (id: string, of: MergeRequestRef, made: Decision, minute: number) =>
  stores.journal.decisions.save({
    ...{ ...made, id, mergeRequest: of, at: at(minute), deliveries: [], tookMs: 40 },
    responses: made.calls.map((call) => ({ call, status: 200, result: 'done', at: at(minute), tookMs: 12 })),
  })

describe.skipIf(noBrowser !== undefined).sequential('issues in a browser', () => {
  let admin: ServedAdmin
  let page: Page

  beforeAll(async () => {
    const { journal } = stores
    await nameHotelApp(journal)
    const named = { title, url: `${appUrl}/-/issues/2`, username: 'alice' }
    await saveNamed(journal, { id: 'd-issue', kind: 'issue.open', of: issue, at: at(5), ...named })
    await saveDecision('0f5e1c1e-on-issue', issue, ofIssue, 6)
    await saveDecision('7ab2c9d0-on-merge-request', mergeRequest, ofMergeRequest, 7)
    for (const [kind, minute] of [
      ['merge_request.open', 1],
      ['merge_request.merge', 4],
    ] as const) {
      const event = { kind, actor: { username: 'alice' }, at: at(minute), ...mergeRequest }
      await journal.deliveries.save(delivery({ state: 'read', event }))
    }
    admin = await serveAdmin(
      {
        journal,
        dryRun: async (of) => ({ ok: true, decision: of.iid === issue.iid ? ofIssue : ofMergeRequest }),
      },
      { now: () => Date.parse(at(30)) },
    )
    page = await openDashboard(admin.url, TOKEN)
  })
  afterAll(async () => {
    await closeDashboard(page)
    admin?.server.close()
  })

  const heading = () => page.getByRole('heading', { level: 1 }).textContent()
  const open = (path: string) => page.goto(`${admin.url}/admin${path}`)

  test('a list has issues and merge requests, each with a link to its page', async () => {
    await open('/decisions')
    expect(await lookAt(page, 'decisions-with-issues')).toEqual(fine)
    await page.getByLabel('Project').fill('hotel/app#2')
    await page.getByRole('button', { name: 'Filter' }).click()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: `hotel/app#2 · ${title}` }).click()
    expect(await heading()).toBe(`hotel/app#2 · ${title}`)
  })

  test('the page of an issue has its history, and explains it', async () => {
    await open('/issues/7/2')
    expect(await lookAt(page, 'issue')).toEqual(fine)
    expect(await page.getByRole('row').allTextContents()).toEqual([
      'TimeWhat happened',
      expect.stringContaining('agoLabelled by rule "triage new issues".'),
      expect.stringContaining('agoalice opened it'),
    ])
    expect(await page.getByRole('link', { name: 'Open in the service' }).getAttribute('href')).toBe(
      `${appUrl}/-/issues/2`,
    )
    await page.getByText('What if …').click()
    await page.getByLabel(/What if/).fill('labels+=hold')
    await page.getByRole('button', { name: 'Explain now' }).click()
    expect(await heading()).toBe(`What would be decided about hotel/app#2 · ${title} now`)
    expect(await page.getByText('What if: labels+=hold').count()).toBe(1)
    expect(await lookAt(page, 'issue-explanation')).toEqual(fine)
    const calls = await page.getByRole('row', { name: 'issues.update' }).textContent()
    expect(calls).toContain('add_labels="triage"')
    expect(calls).not.toContain('issue_iid')
  })

  test.each([
    ['/deliveries', 'deliveries-with-issues'],
    ['/deliveries/d-issue', 'delivery-of-issue'],
    ['/projects/7', 'project-with-issues'],
    ['/rules/try?project=7&iid=2&subject=issue', 'rule-editor-of-issue'],
    ['/insights', 'insights'],
  ])('%s is well readable', async (path, name) => {
    await open(path)
    expect(await lookAt(page, name)).toEqual(fine)
  })
})
