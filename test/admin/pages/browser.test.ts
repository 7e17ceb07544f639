// The dashboard in a real browser, on a real bot that works for a sandbox.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from '../../system/world.ts'
import { fine, lookAt, noBrowser, openBrowser } from './browser.ts'

if (noBrowser !== undefined) console.warn(`the dashboard in a browser: ${noBrowser}`)

const rules = `
version: 1
rules:
  - name: of docs
    if: { changed_files: { all: "docs/**" }, state: opened }
    then: { label: { add: documentation } }
`

describe.skipIf(noBrowser !== undefined)('the dashboard in a browser', () => {
  let world: TestWorld
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startTestWorld({ rules }), openBrowser()])
    page = await browser.newPage()
    await world.openMergeRequest({ as: world.people.alice, branch: 'guide', title: 'Guide', files: { 'docs/guide.md': 'guide' } })
    await world.settle()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.end()
  })

  const open = (path: string) => page.goto(`${world.bellhop.url}/admin${path}`)

  test('lets in with the token, and shows what came in', async () => {
    await open('/deliveries?kind=merge_request.open')
    expect(await lookAt(page, 'login')).toEqual(fine)
    await page.getByLabel('Admin token').fill(world.adminToken)
    await page.getByRole('button', { name: 'Log in' }).click()
    expect(new URL(page.url()).search).toBe('?kind=merge_request.open')
    expect(await page.getByRole('row', { name: 'merge_request.open' }).count()).toBe(1)
    expect(await lookAt(page, 'deliveries')).toEqual(fine)
  })
})
