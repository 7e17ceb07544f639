// The dashboard in a real browser, on a real bot with a sandbox, shared by all tests because they start slowly.
import type { Locator, Page } from 'playwright-core'
import { known, startTestWorld, type TestWorld } from '../../system/world.ts'
import { closeDashboard, fine, logInto, lookAt, noBrowser, openDashboard } from './browser.ts'

if (noBrowser !== undefined) console.warn(`the dashboard in a browser: ${noBrowser}`)

const rules = `
version: 1
rules:
  - name: label documentation <script>alert(1)</script>
    if: { changed_files: { all: "docs/**" }, state: opened }
    then: { label: { add: documentation } }
  - name: merge what is green and approved
    if:
      all:
        - { pipeline: success, draft: false }
        - any: [{ author: [renovate-bot] }, { labels: { any: [ready] } }]
      labels: { none: [hold, "blocked::*"] }
    then: { accept: { squash: true } }
  - name: ask who is new
    if: { author: [nobody], draft: true }
    then: { subscribe: true }
  - name: never yet
    on: [merge_request.close, merge_request.reopen]
    then: { subscribe: true }
`
const address = 'http://bellhop.example'
const mostLinks = 400

describe.skipIf(noBrowser !== undefined).sequential('the dashboard in a browser', () => {
  let world: TestWorld
  let page: Page
  let iid: number
  let failing: number

  beforeAll(async () => {
    world = await startTestWorld({ rules, settings: { BELLHOP_URL: address } })
    // Without read access the evaluation fails; with read access alone its calls are refused.
    await setAccess(10)
    failing = (await openMergeRequest('failing')).iid
    await world.settle()
    await setAccess(20)
    iid = (await openMergeRequest('guide')).iid
    await world.settle()
    await setAccess(40)
    // Hook results are cached for minutes, so the hook must exist before any page is opened.
    const { service, project, hookSecret } = world
    await service.projects.hooks.create({ id: project, url: `${address}/hooks`, token: hookSecret, push_events: false })
    page = await openDashboard(world.bellhop.url, world.adminToken)
  })
  afterAll(async () => {
    await closeDashboard(page)
    await world?.end()
  })

  const openMergeRequest = (name: string) =>
    world.openMergeRequest({ as: world.people.alice, branch: name, title: name, files: { [`docs/${name}.md`]: name } })
  const setAccess = async (level: 10 | 20 | 40) => {
    const { id } = world.people.bellhop
    const [group] = (await world.service.groups.list({ search: 'hotel' })).body
    await world.service.groups.members.update({ id: group?.id ?? 0, user_id: id, access_level: level })
  }
  const open = (path: string) => page.goto(`${world.bellhop.url}/admin${path}`)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = () => page.getByRole('heading', { level: 1 }).textContent()
  const row = (name: string) => page.getByRole('row', { name })
  /** Whether the last number is in the last line of the text. */
  const numbersEndWith = async (text: Locator) => {
    const [last, end] = [await page.locator('.numbered span').last().boundingBox(), await text.boundingBox()]
    const lines = (await text.inputValue()).split('\n').length
    return (
      Number(await page.locator('.numbered span').last().textContent()) >= lines && bottomOf(last) === bottomOf(end)
    )
  }
  const bottomOf = (box: { y: number; height: number } | null) => Math.round((box?.y ?? 0) + (box?.height ?? 0))
  const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click()

  test('a failed delivery is found with its reason, then dry run and replayed', async () => {
    await open('/deliveries')
    expect(await lookAt(page, 'deliveries')).toEqual(fine)
    await page.getByLabel('Project').fill(String(world.project))
    await page.getByLabel('Calls').selectOption('failed')
    await press('Filter')
    expect(await row('merge_request.open').count()).toBe(1)
    await row('merge_request.open').getByRole('link').last().click()
    expect(await heading()).toBe('merge_request.open')
    expect(await lookAt(page, 'delivery')).toEqual(fine)
    expect(await page.getByText('label: refused').count()).toBe(1)
    await row('label: refused').getByRole('link').last().click()
    expect(await lookAt(page, 'decision')).toEqual(fine)
    expect(await row('mergeRequests.update').textContent()).toMatch(/refused.*403/s)
    expect(await page.locator('.details').textContent()).toMatch(
      /Rule files\.bellhop\.yml blob [0-9a-f]{12} commit [0-9a-f]{12}/,
    )
    expect(await page.locator('.part > .rule summary strong').allTextContents()).toEqual([
      'label documentation <script>alert(1)</script>',
    ])
    await page.getByText('3 rules that do not apply').click()
    const rule = page.locator('.rule', { hasText: 'merge what is green and approved' })
    expect(await rule.locator('.blocker').textContent()).toMatch(
      /^Blocked by: pipeline: expected "success", actual "none".*To fix: /,
    )
    const leaves = await rule.locator('.node .node .node').allTextContents()
    const names = leaves.map((text) => /^.[a-z]+?(?=expected)/.exec(text)?.[0])
    expect(names).toEqual(['✗pipeline', '✓draft', '✗author', '✗labels'])
    expect(leaves[2]).toContain('expected "renovate-bot"actual "alice"')
    await follow('merge_request.open')

    await page.getByRole('button', { name: 'Dry run' }).press('Enter')
    expect(await heading()).toBe('Dry run')
    expect(await page.getByText('1 call: label').count()).toBe(1)
    expect(await lookAt(page, 'dry-run')).toEqual(fine)
    expect((await world.mergeRequest(iid)).labels).toEqual([])

    await page.getByLabel('Reason, for the audit log').fill('the bot may do it again')
    await press('Replay')
    expect(await page.getByRole('status').textContent()).toContain('nqueued again')
    await world.settle()
    await page.reload()
    expect(await page.getByText('label: done').count()).toBe(1)
    expect(await page.getByText('the bot may do it again').count()).toBe(1)
    expect((await world.mergeRequest(iid)).labels).toEqual(['documentation'])
    await open('/queue')
    expect(await row('the bot may do it again').textContent()).toMatch(/admin.*replay_delivery.*202/s)
  })

  test('a merge request is explained, also with what-if overrides', async () => {
    await open(`/merge-requests/${world.project}/${iid}`)
    expect(await lookAt(page, 'merge-request')).toEqual(fine)
    const entries = await page.getByRole('table', { name: 'History' }).getByRole('row').allTextContents()
    expect(entries.at(-1)).toMatch(/alice opened it/)
    expect(entries.at(-2)).toMatch(/Rule "label documentation .* asked to label it: refused, .*403/)
    expect(await page.locator('ul.notice li').first().textContent()).toMatch(/^pipeline is .*To fix: a pipeline/)
    await page.getByText('What if …').click()
    await page.getByLabel('What if').fill('pipeline=success\nlabels+=ready')
    await press('Explain now')
    expect(await page.getByText('What if: pipeline=success · labels+=ready').count()).toBe(1)
    expect(await page.getByText('merge what is green and approved').first().isVisible()).toBe(true)
    expect(await lookAt(page, 'explanation')).toEqual(fine)
    await page.getByLabel('What if').fill('colour=red')
    await press('Explain now')
    expect(await page.getByRole('alert').textContent()).toContain('there is no fact "colour"')
    expect(await lookAt(page, 'problem')).toEqual(fine)
  })

  test('the queue is paused and resumed, and a failed job is retried', async () => {
    await open('/queue')
    expect(await row('403').textContent()).toContain('failed')
    await row('Merge requests').first().getByRole('link', { name: '1', exact: true }).click()
    expect(await row('403').count()).toBe(1)
    expect(await lookAt(page, 'queue-jobs')).toEqual(fine)
    // Needs a reason.
    await press('Discard all failed jobs')
    expect(await row('403').count()).toBe(1)
    await page.goBack()
    await press('Retry')
    expect(await page.getByRole('status').textContent()).toBe('The job was enqueued again.')
    await world.settle()
    expect((await world.mergeRequest(failing)).labels).toEqual(['documentation'])
    await open('/queue')
    await press('Pause everything')
    expect(await page.getByRole('status').first().textContent()).toContain('Paused.')
    expect(await lookAt(page, 'queue')).toEqual(fine)
    await press('Resume everything')
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
  })

  test('a selection of deliveries is counted, dry run and replayed', async () => {
    await open('/deliveries?kind=merge_request.open')
    await press('Replay these …')
    expect(await heading()).toBe('Dry run for 2 deliveries')
    expect(await page.getByRole('heading', { name: 'Merge request ' }).allTextContents()).toEqual([
      `Merge request hotel/app!${iid} · guide`,
      `Merge request hotel/app!${failing} · failing`,
    ])
    expect(await lookAt(page, 'dry-run-selection')).toEqual(fine)
    await page.getByLabel('Reason, for the audit log').fill('all of them again')
    await press('Replay all 2')
    expect(await page.getByRole('status').first().textContent()).toContain('2 deliveries enqueued again.')
    await world.settle()
    await open('/deliveries?kind=merge_request.open')
    for (const nth of [0, 1]) {
      await row('merge_request.open').nth(nth).getByRole('link').last().click()
      expect(await page.getByText('all of them again').count()).toBe(1)
      await page.goBack()
    }
  })

  test('a list links to newer items', async () => {
    await open('/deliveries')
    const rows = await page.getByRole('row').count()
    await world.deliver('{}')
    await page.getByRole('link', { name: '1 new: show' }).click()
    await page.getByText('unreadable', { exact: true }).last().waitFor()
    expect(await page.getByRole('row').count()).toBe(rows + 1)
  })

  test('a link from another site keeps the user logged in', async () => {
    await page.goto(`${world.bellhop.url.replace('127.0.0.1', 'localhost')}/healthz`)
    await page.evaluate((url) => location.assign(url), `${world.bellhop.url}/admin/decisions`)
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
  })

  test('the first keyboard stop skips the navigation', async () => {
    await open('/decisions')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  test('no link of any page leads nowhere', async () => {
    const known = new Set(['/admin'])
    const broken: string[] = []
    for (const path of known) {
      const response = await page.request.get(world.bellhop.url + path)
      if (!response.ok()) broken.push(`${response.status()} ${path}`)
      const html = await response.text()
      const links = [...html.matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      )
      const of = links.filter((href) => href.startsWith('/') && known.size < mostLinks)
      for (const each of of) known.add(each)
    }
    expect(broken).toEqual([])
    expect(known.size).toBeGreaterThan(30)
    expect(known.size).toBeLessThan(mostLinks)
  })

  test('the overview has what happened today and in the last days as charts with tables, then the jobs', async () => {
    await open('')
    expect(await page.locator('.attention, .done').count()).toBe(1)
    expect(await page.getByRole('heading').allTextContents()).toEqual([
      ...['Overview', 'Needs attention', 'Today and the last seven days', 'Waiting for people', 'Jobs'],
    ])
    const deliveries = world.log.filter(({ event }) => event === 'delivery_read').length
    expect(await page.locator('.details').textContent()).toMatch(new RegExp(`^Deliveries, last hour${deliveries}Dec`))
    const chart = page.getByRole('img', { name: /^Labelled by rules: 2 today, 2 in 7 days; at most 2, at / })
    const numbers = await page.locator('figure', { has: chart }).locator('td:last-child').allTextContents()
    expect(numbers).toEqual(['0', '0', '0', '0', '0', '0', '2'])
    expect(await lookAt(page, 'overview')).toEqual(fine)
  })

  test('a project shows broken files, matched rules and rules that never matched', async () => {
    await world.clone.push({
      as: world.people.renovate,
      branch: 'master',
      files: { '.bellhop.yml': `${rules}  - name: odd\n    if: { state: opened }\n    then: 7\n` },
      message: 'Break',
    })
    await world.settle()
    await open('')
    expect(await page.locator('.attention li').allTextContents()).toEqual([
      expect.stringMatching(/^The rules of hotel\/app are broken\. \.bellhop\.yml:\d+:\d+: .*Show the problems/),
      expect.stringMatching(/^The hook of hotel\/app: wrong\. .*push_events is off/),
    ])
    expect(await lookAt(page, 'overview-attention')).toEqual(fine)
    await follow('Show the problems')
    expect(await heading()).toBe('hotel/app')
    await open('/projects')
    expect(await row('hotel/app').getByText('broken', { exact: true }).count()).toBe(1)
    expect(await lookAt(page, 'projects')).toEqual(fine)
    await row('hotel/app').getByRole('link').click()
    expect(await page.locator('.problem li').allTextContents()).toEqual([
      expect.stringMatching(/^\.bellhop\.yml:\d+:\d+: /),
    ])
    expect(await row('label documentation <script>').last().textContent()).not.toContain('never')
    expect(await row('never yet').getByText('never', { exact: true }).count()).toBe(1)
  })

  test('rules are checked while they are edited, tried, and copied', async () => {
    await open(`/projects/${world.project}`)
    await follow('.bellhop.yml:22:11')
    const text = page.getByLabel('Rules')
    const selected = () => page.evaluate(() => getSelection()?.toString())
    expect(await page.locator(':target').textContent()).toBe('22')
    const problems = page.locator('#problems')
    expect(await problems.textContent()).toMatch(/^\.bellhop\.yml:22:11: /)
    await follow('.bellhop.yml:22:11')
    expect(await selected()).toBe('    then: 7')
    expect(await numbersEndWith(text)).toBe(true)
    expect(await lookAt(page, 'rule-editor-problems')).toEqual(fine)
    await text.fill('#\n'.repeat(40))
    expect(await numbersEndWith(text)).toBe(true)
    await text.fill(rules.replace('docs/**', 'docs/*.md'))
    await page.getByText('No problems.').waitFor()
    await page.getByLabel('Number').fill(String(iid))
    await page.getByLabel('What if').fill('labels+=ready')
    await press('Explain')
    expect(await page.getByText('all of "docs/*.md"').count()).toBe(1)
    expect(await text.inputValue()).toContain('docs/*.md')
    expect(await lookAt(page, 'rule-editor-explain')).toEqual(fine)
    await press('Backtest')
    const totals = page.getByRole('table', { name: 'Rules' })
    expect(await totals.getByRole('row', { name: 'label documentation' }).textContent()).toMatch(/\D2\D*0\D*0/)
    expect(await page.getByRole('row', { name: 'guide' }).count()).toBe(1)
    expect(await lookAt(page, 'rule-editor-backtest')).toEqual(fine)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press('Copy the text')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await text.inputValue())
  })

  test('a project shows its state, and is paused and resumed', async () => {
    await open('/projects')
    await row('hotel/app').getByRole('link').click()
    expect(await heading()).toBe('hotel/app')
    const mergeRequests = page.getByRole('table', { name: 'Merge requests' }).getByRole('link', { name: '!' })
    expect((await mergeRequests.allTextContents()).toSorted()).toEqual(
      [`hotel/app!${failing} · failing`, `hotel/app!${iid} · guide`].toSorted(),
    )
    expect(await page.locator('.details').textContent()).toMatch(/Hookwrong .*push_events is off/)
    await page.getByLabel('Reason, for the audit log').fill('a freeze')
    await press('Pause this project')
    expect(await page.getByText(/^Paused now by admin: a freeze\./).count()).toBe(1)
    const held = await openMergeRequest('held')
    await world.settle()
    expect((await world.mergeRequest(held.iid)).labels).toEqual([])
    expect(await lookAt(page, 'project')).toEqual(fine)
    await open('/queue')
    await press('Resume')
    expect(await page.getByRole('status').first().textContent()).toBe('Resumed. Evaluating 1 held-back merge request.')
    await world.settle()
    expect((await world.mergeRequest(held.iid)).labels).toEqual(['documentation'])
  })

  test('pages and forms work without scripts', async () => {
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false })
    const plain = known(await context?.newPage())
    const button = (name: string) => plain.getByRole('button', { name, exact: true })
    await logInto(plain, `${world.bellhop.url}/admin/deliveries?kind=merge_request.open`, world.adminToken)
    await plain.getByRole('row', { name: 'merge_request.open' }).first().getByRole('link').last().click()
    await button('Dry run').click()
    expect(await plain.getByRole('heading', { level: 1 }).textContent()).toBe('Dry run')
    await button('Replay').click()
    expect(await plain.getByRole('status').textContent()).toContain('nqueued again')
    await plain.goto(`${world.bellhop.url}/admin/rules/try`)
    await plain.getByLabel('Rules').fill('version: 2')
    await button('Check').click()
    expect(await plain.getByRole('status').textContent()).toContain('.bellhop.yml:1:10: version: ')
    await context?.close()
    await world.settle()
  })

  test('logging out ends the session', async () => {
    await open('/decisions')
    expect(await lookAt(page, 'decisions')).toEqual(fine)
    await press('Log out')
    expect(await lookAt(page, 'login')).toEqual(fine)
    await open('/decisions')
    expect(await heading()).toBe('Log in')
  })
})
