// Lists in the window of a phone: 20 items take at most three screens, whatever their texts.
import type { Page } from 'playwright-core'
import type { DecisionRecord } from '../../../src/journal/types.ts'
import type { Call } from '../../../src/rules/types.ts'
import { useStores } from '../../bot/stores.ts'
import { decision, delivery, matchedRule } from '../../suites/journal/records.ts'
import { queuesOf, queueWith, type ServedAdmin, serveAdmin, TOKEN } from '../serve-admin.ts'
import { closeDashboard, fine, lookAt, looks, noBrowser, openDashboard, screenHeight } from './browser.ts'

const stores = useStores({ own: true })
const count = 20
const numbers = Array.from({ length: count }, (_, index) => index + 1)
const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toISOString()
const text = 'a long text that explains in many words why something is as it is, '.repeat(4)
const call: Call = {
  to: 'service',
  endpoint: 'mergeRequests.update',
  params: { id: 7 },
  action: 'label',
  rules: ['f#r'],
}

const decided = (iid: number): DecisionRecord => ({
  ...decision({ project: 7, iid }, at(iid), `0f5e1c1e-decision-${iid}`),
  rules: ['label documentation', 'merge dependency updates when green', 'ask the team'].map((name) =>
    matchedRule(name),
  ),
  ...{ calls: [call], responses: [{ call, status: 200, result: 'done', at: at(iid), tookMs: 1 }] },
})

describe.skipIf(noBrowser !== undefined)('20 items in the window of a phone', () => {
  let admin: ServedAdmin
  let page: Page

  beforeAll(async () => {
    const { journal } = stores
    for (const iid of numbers) {
      const [id, of] = [`0f5e1c1e-delivery-of-a-long-name-${iid}`, { project: iid, iid }]
      const event = { kind: 'merge_request.update', project: iid, actor: { username: 'alice' }, at: at(iid) }
      await journal.deliveries.save(
        delivery({ id, receivedAt: at(iid), state: 'read', reason: text, mergeRequests: [of], event }),
        { pending: { of: [of], event: { deliveryId: id, event } } },
      )
      await journal.decisions.save(decided(iid))
      const to = { id: text.slice(0, 200) }
      await journal.audit.save({ id: `a${iid}`, at: at(iid), by: 'ann', operation: 'replay_delivery', to, why: text })
    }
    const jobs = numbers.map((iid) => ({
      ...{ id: `job-${iid}`, data: { project: 7, iid }, state: 'failed' as const, attempts: 3 },
      ...{ addedAt: Date.parse(at(iid)), failure: text },
    }))
    const queue = queueWith({ list: async () => jobs })
    admin = await serveAdmin({
      journal,
      queues: queuesOf(() => queue),
      rulesInProject: async (project) => ({
        ...{ files: [], policy: { mode: 'act' }, problems: [`.bellhop.yml:1:1: ${text}`], branch: 'main' },
        ...{ projectPath: `a-long-group/with-a-subgroup/project-${project}`, readAt: at(0) },
      }),
      hookHealth: async () => ({ result: 'disabled', details: [text], bad: true, checkedAt: at(0), events: [] }),
    })
    page = await openDashboard(admin.url, TOKEN)
  })
  afterAll(async () => {
    await closeDashboard(page)
    admin?.server.close()
  })

  test.each([
    ['deliveries?limit=20', 'Deliveries'],
    ['decisions?limit=20', 'Decisions'],
    ['projects?limit=20', 'Projects'],
    ['queue?queue=mergeRequests', 'Jobs'],
    ['queue', 'Audit log'],
  ])('%s', async (path, name) => {
    await page.goto(`${admin.url}/admin/${path}`)
    expect(await lookAt(page, `long-${name}`)).toEqual(fine)
    await page.setViewportSize({ width: looks[2].width, height: screenHeight })
    const list = page.getByRole('table', { name })
    expect(await list.locator('tbody tr').count()).toBe(count)
    // With the header of the page.
    expect(((await list.boundingBox())?.height ?? 0) / screenHeight).toBeLessThanOrEqual(2.8)
    expect((await page.locator('header').boundingBox())?.height).toBeLessThan(60)
    expect(await page.getByRole('form', { name: 'Filter' }).isVisible()).toBe(false)
  })

  test('the folded filter opens and filters', async () => {
    await page.setViewportSize({ width: looks[2].width, height: screenHeight })
    await page.goto(`${admin.url}/admin/deliveries`)
    await page.getByText('Filter', { exact: true }).first().click()
    await page.getByLabel('Project').fill('3')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('Filter: Project: 3').waitFor()
    expect(await page.locator('.list tbody tr').count()).toBe(1)
  })
})
