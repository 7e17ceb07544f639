// The dashboard in a real browser, on a real bot that works for a sandbox.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from '../../system/world.ts'
import { fine, lookAt, noBrowser, openBrowser } from './browser.ts'

if (noBrowser !== undefined) console.warn(`the dashboard in a browser: ${noBrowser}`)

const rules = `
version: 1
rules:
  - name: label documentation
    if: { changed_files: { all: "docs/**" }, state: opened }
    then: { label: { add: documentation } }
  - name: merge what is green and approved
    if:
      all:
        - { pipeline: success, draft: false }
        - any: [{ author: [renovate-bot] }, { labels: { any: [ready] } }]
      labels: { none: [hold, "blocked::*"] }
    then: { accept: { squash: true } }
`

describe.skipIf(noBrowser !== undefined).sequential('the dashboard in a browser', () => {
  let world: TestWorld
  let browser: Browser
  let page: Page
  let iid: number
  let failing: number

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startTestWorld({ rules }), openBrowser()])
    page = await browser.newPage()
    page.setDefaultTimeout(20_000)
    // Who may not read the rules fails to judge; who may only read is refused what they say.
    await setAccess(10)
    const open = (name: string) =>
      world.openMergeRequest({ as: world.people.alice, branch: name, title: name, files: { [`docs/${name}.md`]: name } })
    failing = (await open('failing')).iid
    await world.settle()
    await setAccess(20)
    iid = (await open('guide')).iid
    await world.settle()
    await setAccess(40)
    await page.goto(`${world.bellhop.url}/admin/deliveries?kind=merge_request.open`)
    await page.getByLabel('Admin token').fill(world.adminToken)
    await page.getByRole('button', { name: 'Log in' }).click()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.end()
  })

  const setAccess = async (level: 10 | 20 | 40) => {
    const { id } = world.people.bellhop
    const [group] = (await world.service.groups.list({ search: 'hotel' })).body
    await world.service.groups.members.update({ id: group?.id ?? 0, user_id: id, access_level: level })
  }
  const open = (path: string) => page.goto(`${world.bellhop.url}/admin${path}`)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = () => page.getByRole('heading', { level: 1 }).textContent()
  const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click()

  test('a failed delivery is found, and why; it is replayed dry, and then for good', async () => {
    await open('/deliveries')
    expect(await lookAt(page, 'deliveries')).toEqual(fine)
    await page.getByLabel('Merge request').fill(String(iid))
    await page.getByLabel('Project').fill(String(world.project))
    await page.getByLabel('Kind').fill('merge_request.open')
    await press('Filter')
    await page.getByRole('row', { name: 'merge_request.open' }).getByRole('link').last().click()
    expect(await heading()).toBe('merge_request.open')
    expect(await lookAt(page, 'delivery')).toEqual(fine)
    expect(await page.getByText('label: refused').count()).toBe(1)
    await page.getByRole('row', { name: 'label: refused' }).getByRole('link').last().click()
    expect(await lookAt(page, 'decision')).toEqual(fine)
    expect(await page.getByRole('row', { name: 'mergeRequests.update' }).textContent()).toMatch(/refused.*403/s)
    await follow('merge_request.open')

    await press('Replay dry')
    expect(await heading()).toBe('Dry replay')
    expect(await page.getByText('1 call: label').count()).toBe(1)
    expect(await lookAt(page, 'dry-replay')).toEqual(fine)
    expect((await world.mergeRequest(iid)).labels).toEqual([])

    await page.getByLabel('Why, for the audit log').fill('the bot may do it again')
    await press('Replay')
    expect(await page.getByRole('status').textContent()).toContain('in line again')
    await world.settle()
    await page.reload()
    expect(await page.getByText('label: done').count()).toBe(1)
    expect(await page.getByText('the bot may do it again').count()).toBe(1)
    expect((await world.mergeRequest(iid)).labels).toEqual(['documentation'])
    await open('/audit')
    expect(await page.getByRole('row', { name: 'the bot may do it again' }).textContent()).toMatch(/admin.*replay_delivery.*202/s)
    expect(await lookAt(page, 'audit')).toEqual(fine)
  })

  test('a merge request is explained as it is now, and as it might be', async () => {
    await open(`/merge-requests/${world.project}/${iid}`)
    expect(await lookAt(page, 'merge-request')).toEqual(fine)
    await page.getByLabel('What if').fill('pipeline=success\nlabels+=ready')
    await press('Explain now')
    expect(await page.getByText('Supposed: pipeline=success · labels+=ready').count()).toBe(1)
    expect(await page.getByText('merge what is green and approved').first().isVisible()).toBe(true)
    expect(await lookAt(page, 'explained')).toEqual(fine)
    await page.getByLabel('What if').fill('colour=red')
    await press('Explain now')
    expect(await page.getByRole('alert').textContent()).toContain('there is no fact "colour"')
    expect(await lookAt(page, 'problem')).toEqual(fine)
  })

  test('the queue is paused and resumed, and a failed job is tried again', async () => {
    await open('/queue')
    expect(await page.getByRole('row', { name: '403' }).textContent()).toContain('failed')
    await press('Retry')
    expect(await page.getByRole('status').textContent()).toBe('The job is in line again.')
    await world.settle()
    expect((await world.mergeRequest(failing)).labels).toEqual(['documentation'])
    await open('/queue')
    await page.getByRole('textbox', { name: 'Project' }).fill(String(world.project))
    await press('Pause this project')
    await press('Pause everything')
    expect(await lookAt(page, 'queue')).toEqual(fine)
    await press('Resume everything')
    await press('Resume')
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
  })

  test('a list says what is new, and shows it when asked to', async () => {
    await open('/deliveries')
    const rows = await page.getByRole('row').count()
    await world.deliver('{}')
    await page.getByRole('link', { name: '1 new: show' }).click()
    await page.getByText('unreadable', { exact: true }).last().waitFor()
    expect(await page.getByRole('row').count()).toBe(rows + 1)
  })

  test('whoever follows a link of another site is still logged in', async () => {
    await page.goto(`${world.bellhop.url.replace('127.0.0.1', 'localhost')}/healthz`)
    await page.evaluate((url) => location.assign(url), `${world.bellhop.url}/admin/decisions`)
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
  })

  test('the first thing that the keyboard comes to leads past the navigation', async () => {
    await open('/decisions')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  test('whoever logs out is out', async () => {
    await open('/decisions')
    expect(await lookAt(page, 'decisions')).toEqual(fine)
    await press('Log out')
    expect(await lookAt(page, 'login')).toEqual(fine)
    await open('/decisions')
    expect(await heading()).toBe('Log in')
  })
})
