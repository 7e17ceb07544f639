// The pages that say how it goes (overview, rules, hooks) in a real browser, on a real bot that works for a sandbox.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from '../../system/world.ts'
import { fine, lookAt, noBrowser, openBrowser } from './browser.ts'

const rules = `
version: 1
rules:
  - name: of docs <script>alert(1)</script>
    if: { changed_files: { all: "docs/**" }, state: opened }
    then: { label: { add: documentation } }
  - name: never yet
    on: [merge_request.close, merge_request.reopen]
    then: { subscribe: true }
`
const address = 'http://bellhop.example'

describe.skipIf(noBrowser !== undefined)('how it goes, in a browser', () => {
  let world: TestWorld
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startTestWorld({ rules, settings: { BELLHOP_URL: address } }), openBrowser()])
    const { clone, people, service, project } = world
    await world.openMergeRequest({ as: people.alice, branch: 'guide', title: 'Guide', files: { 'docs/guide.md': 'guide' } })
    await world.settle()
    await clone.push({
      as: people.renovate,
      branch: 'master',
      files: { '.bellhop.yml': `${rules}  - name: odd\n    if: { state: opened }\n    then: 7\n` },
      message: 'Break',
    })
    await service.projects.hooks.create({ id: project, url: `${address}/hooks`, token: world.hookSecret, push_events: false })
    await world.deliver('{')
    await world.settle()
    page = await browser.newPage()
    await page.goto(`${world.bellhop.url}/admin`)
    await page.getByLabel('Admin token').fill(world.adminToken)
    await page.getByRole('button', { name: 'Log in' }).click()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.end()
  })

  const open = (path: string) => page.goto(`${world.bellhop.url}/admin${path}`)
  const row = (name: string) => page.getByRole('row', { name })

  test('the start has numbers with words, charts with tables, and the projects', async () => {
    await open('')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Overview')
    const deliveries = world.log.filter(({ event }) => event === 'delivery read').length
    expect(await page.locator('.tile', { hasText: 'Deliveries, last hour' }).locator('.number').textContent()).toBe(String(deliveries))
    const chart = page.getByRole('img', { name: 'Deliveries, last hour' })
    expect(await chart.locator('desc').textContent()).toMatch(
      new RegExp(`^Deliveries, last hour: ${deliveries} in all; the most, \\d+, \\d\\d:\\d\\d\\.$`),
    )
    const asTable = page.locator('figure', { has: chart }).getByText('As a table')
    await asTable.click()
    const numbers = await page.getByRole('table', { name: 'Deliveries, last hour' }).locator('td').allTextContents()
    expect([numbers.length, numbers.reduce((sum, each) => sum + Number(each), 0)]).toEqual([12, deliveries])
    await asTable.click()
    expect(await row('hotel/app').getByRole('link').getAttribute('href')).toBe(`/admin/deliveries?project=${world.project}`)
    expect(await lookAt(page, 'overview')).toEqual(fine)
  })

  test('rules say which file is broken and where, what held, and what never did', async () => {
    await open('/rules')
    expect(await row('hotel/app').getByText('broken', { exact: true }).count()).toBe(1)
    expect(await lookAt(page, 'rules')).toEqual(fine)
    await row('hotel/app').getByRole('link').click()
    expect(await page.locator('.problem li').allTextContents()).toEqual([expect.stringMatching(/^\.bellhop\.yml:\d+:\d+: /)])
    expect(await row('of docs <script>').textContent()).not.toContain('never')
    expect(await row('never yet').getByText('never', { exact: true }).count()).toBe(1)
    expect(await lookAt(page, 'project-rules')).toEqual(fine)
  })

  test('hooks that are not as they should be are red, with what is wrong', async () => {
    await open('/hooks')
    const badge = row('hotel/app').locator('.badge')
    expect([await badge.textContent(), await badge.getAttribute('class')]).toEqual(['wrong', 'badge bad'])
    expect(await row('hotel/app').textContent()).toContain('push_events is off')
    expect(await lookAt(page, 'hooks')).toEqual(fine)
  })
})
