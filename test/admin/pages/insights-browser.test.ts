// Insights in a real browser, on a real bot with a sandbox: what people do there becomes figures.
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from '../../system/world.ts'
import { fine, lookAt, noBrowser, openBrowser } from './browser.ts'

const rules = `
version: 1
rules:
  - name: merge what somebody approved
    if: { approvals_given: { at_least: 1 } }
    then: { accept: { pipeline: none } }
`

describe.skipIf(noBrowser !== undefined)('insights in a browser', () => {
  let world: TestWorld
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startTestWorld({ rules }), openBrowser()])
    page = await browser.newPage()
    page.setDefaultTimeout(20_000)
    const { iid } = await world.open('door')
    await world.service.mergeRequests.approve(world.ref(iid))
    await world.settle()
    expect((await world.mergeRequest(iid)).state).toBe('merged')
    await page.goto(`${world.bellhop.url}/admin`)
    await page.getByLabel('Admin token').fill(world.adminToken)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('link', { name: 'Insights' }).click()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.end()
  })

  test('the page shows them by week and project, with what each means', async () => {
    const week = page.getByRole('table', { name: 'Times by week' }).getByRole('row').nth(1)
    expect(await week.textContent()).toMatch(/^\d{4}-W\d\d(0 min of 1){3}0$/)
    const waiting = page.getByRole('table', { name: 'Waiting by week' }).getByRole('row').nth(1)
    expect(await waiting.textContent()).toMatch(/W\d\d0 min of 1, median 0 min(none){4}$/)
    expect(await lookAt(page, 'insights')).toEqual(fine)
    await page.getByRole('link', { name: 'hotel/app' }).click()
    expect(await page.getByText('Filter: Project: 1').count()).toBe(1)
    expect(await page.getByRole('table', { name: 'Times by project' }).getByRole('row').count()).toBe(2)
  })

  test('the file is saved, and has a row for each figure', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save as CSV' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('insights.csv')
    const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines.map((line) => line.split(',').slice(3, 5).join(' '))).toEqual([
      ...['figure count', 'first_review 1', 'approval 1', 'merge 1', 'waiting_review 1'],
    ])
  })
})
