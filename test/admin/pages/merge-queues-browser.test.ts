// The pages of merge queues in a real browser, over a journal.
import type { Page } from 'playwright-core'
import type { MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import { useStores } from '../../bot/stores.ts'
import { type ServedAdmin, serveAdmin, TOKEN } from '../serve-admin.ts'
import { closeDashboard, fine, lookAt, noBrowser, openDashboard } from './browser.ts'

const stores = useStores({ own: true })
const project = 7
const now = Date.parse('2026-11-24T10:00:00.000Z')
const ago = (minutes: number) => now - minutes * 60_000
const member = (iid: number) => ({ iid, head: `${iid}`.padStart(40, 'a') })
const commit = (letter: string) => ({ commit: letter.repeat(40), tree: letter.repeat(40) })
const main = { project, target: 'main' }
const release = { project, target: 'release/1.0-<b>' }

const busy: MergeQueueRecord = {
  ...{ window: 4, first: [member(17)] },
  builds: [
    {
      ...{ members: [member(11), member(12)], base: commit('a'), ...commit('b') },
      attempts: [
        { number: 5, commit: 'b'.repeat(40), since: ago(40), failed: 'pipeline_failed' },
        { number: 8, commit: 'e'.repeat(40), since: ago(9) },
      ],
    },
    {
      ...{ members: [member(13)], base: commit('b'), ...commit('c') },
      attempts: [{ number: 6, commit: 'c'.repeat(40), since: ago(12), failed: 'pipeline_timeout' }],
    },
    { members: [member(14)], attempts: [{ number: 7 }] },
  ],
  conflicts: [{ member: member(15), others: [member(13)] }],
  removals: [
    { member: member(18), reason: 'pipeline_failed', attempt: 4, at: ago(50), link: 'https://git.example/p/4' },
    { member: member(19), reason: 'conflict', at: ago(55), link: 'javascript:alert(1)' },
  ],
  removed: [{ member: member(20), reason: 'by_operator', at: ago(120) }],
  recent: [1, 2, 3].map((iid) => ({
    ...{ members: [member(iid)], from: commit('8'), ...commit('9'), since: ago(70 * iid), at: ago(70 * iid) },
    by: 'accept' as const,
  })),
}

describe.skipIf(noBrowser !== undefined).sequential('merge queues in a browser', () => {
  let admin: ServedAdmin
  let page: Page
  const woken: unknown[] = []

  beforeAll(async () => {
    for (const iid of [11, 12, 13, 14, 15, 16, 17, 18, 19])
      await stores.journal.mergeQueues.saveEntry(
        { project, iid },
        { ...member(iid), queue: 'main', target: 'main', since: ago(iid), priority: iid % 3, frozen: iid === 16 },
      )
    await stores.journal.mergeQueues.saveEntry(
      { project, iid: 30 },
      { ...member(30), queue: 'releases', target: release.target, since: ago(1), priority: 0, frozen: false },
    )
    admin = await serveAdmin(
      { journal: stores.journal, wakeMergeQueue: async (...given) => void woken.push(given) },
      { now: () => now },
    )
    page = await openDashboard(admin.url, TOKEN)
  })
  afterAll(async () => {
    await closeDashboard(page)
    admin?.server.close()
  })
  beforeEach(async () => {
    const paused = { reason: 'no_pipeline' as const, since: ago(7) }
    await stores.journal.mergeQueues.change(main, () => busy)
    await stores.journal.mergeQueues.change(release, () => ({ ...busy, builds: [], recent: [], removals: [], paused }))
    await page.goto(`${admin.url}/admin`)
  })

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const openQueue = (target: string) => page.getByRole('link', { name: target, exact: true }).click()
  const rows = (table: string) => page.getByRole('table', { name: table }).locator('tbody tr')
  const confirmation = () => page.getByRole('status').first().textContent()

  test('the overview shows the state of each, and leads to it', async () => {
    expect(await rows('Merge queues').allTextContents()).toEqual([
      expect.stringMatching(/^main.*active3 of 4211 hr/),
      expect.stringMatching(/^release\/1\.0-<b>.*paused.*no pipeline.*0 of 4/),
    ])
    expect(await lookAt(page, 'overview-merge-queues')).toEqual(fine)
    await openQueue(release.target)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Merge queue: release/1.0-<b>')
  })

  test('a queue shows its builds as a chain, and what waits, was removed and landed', async () => {
    await openQueue('main')
    expect(await page.locator('.chain > li').allTextContents()).toEqual([
      expect.stringMatching(/^mainaaaaaaaaaaaa$/),
      expect.stringMatching(
        /^testing.*!11.*!12.*Branch 5: pipeline failed 40 min\. ago.*Branch 8: testing 9 min\. ago/,
      ),
      expect.stringMatching(/^failed.*!13.*Branch 6: pipeline timeout/),
      expect.stringMatching(/^preparing.*!14.*Branch 7: preparing/),
    ])
    expect(await rows('Waiting merge requests, the next first').allTextContents()).toEqual([
      expect.stringMatching(/!17.*an operator moved it to the front/),
      expect.stringMatching(/!16.*the end of a freeze/),
      expect.stringMatching(/!15.*!13, which it conflicts with/),
    ])
    const removed = rows('Removed merge requests')
    expect(await removed.allTextContents()).toEqual([
      expect.stringMatching(/!19.*55 min\. ago.*conflicts/),
      expect.stringMatching(/!18.*50 min\. ago.*pipeline/),
      expect.stringMatching(/!20.*2 hr\. ago.*operator/),
    ])
    expect(await removed.locator('a[href^=https]').getAttribute('href')).toBe('https://git.example/p/4')
    expect(await page.locator('a[href^=javascript]').count()).toBe(0)
    expect(await rows('Merged').count()).toBe(3)
    expect(await lookAt(page, 'merge-queue')).toEqual(fine)
  })

  test('a queue is paused and resumed', async () => {
    await openQueue('main')
    await page.getByLabel('Reason, for the audit log').fill('a freeze')
    await press('Pause')
    expect(await confirmation()).toBe('Paused. Nothing is merged until it is resumed.')
    expect((await stores.journal.mergeQueues.find(main))?.paused).toEqual({ reason: 'by_operator', since: now })
    expect(await page.getByText(/^Paused now: an operator paused it\./).count()).toBe(1)
    expect(await lookAt(page, 'merge-queue-paused')).toEqual(fine)
    await press('Resume')
    expect(await confirmation()).toBe('Resumed. What was not merged yet is built anew.')
    expect(await stores.journal.mergeQueues.find(main)).toMatchObject({ builds: [] })
    const { items } = await stores.journal.audit.list({ limit: 100 })
    expect(items).toContainEqual(
      expect.objectContaining({ operation: 'pause_merge_queue', why: 'a freeze', status: 202, by: 'admin' }),
    )
  })

  test('an entry is moved to the front and removed, also of a branch with slashes', async () => {
    await openQueue('main')
    await press('!16 to the front')
    expect(await confirmation()).toBe('Moved to the front of those that wait.')
    expect((await stores.journal.mergeQueues.find(main))?.first).toEqual([member(16), member(17)])
    await openQueueAgain()
    await press('Remove !11')
    expect(await confirmation()).toContain('Removed.')
    expect((await stores.journal.mergeQueues.find(main))?.removals.at(-1)).toMatchObject({ member: member(11) })
    await page.goto(`${admin.url}/admin`)
    await openQueue(release.target)
    await press('Remove !30')
    expect((await stores.journal.mergeQueues.find(release))?.removals).toEqual([
      { member: member(30), reason: 'by_operator', at: now },
    ])
    expect(woken.at(-1)).toEqual([release, undefined])
  })

  const openQueueAgain = () => page.goto(`${admin.url}/admin/merge-queues/${project}/main`)
})
