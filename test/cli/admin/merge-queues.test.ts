// `bellhop merge-queue list|show|pause|resume|remove|front` against the real admin API over a real journal.
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import { useStores } from '../../bot/stores.ts'
import { fencedCommands, readPage } from '../../docs/pages.ts'
import { nameHotelApp } from '../hotel-app.ts'
import { prints, refuses } from '../run-here.ts'
import { useRunningBot } from '../running-bot.ts'

const stores = useStores({ own: true })
const queue = { project: 7, target: 'release/1.0' }
const at = Date.parse('2026-11-24T10:00:00.000Z')
const freezes = { last: async () => undefined, change: async () => {} }
const bot = useRunningBot(() => ({ journal: stores.journal, wakeMergeQueue: async () => {}, freezes }))

const run = (...args: string[]) => bot.run('merge-queue', ...args)
const member = (iid: number) => ({ iid, head: `h${iid}` })

async function fill(): Promise<void> {
  for (const iid of [1, 2, 3])
    await stores.journal.mergeQueues.saveEntry(
      { project: 7, iid },
      { ...member(iid), queue: 'main', target: queue.target, since: at, priority: 0, frozen: iid === 2 },
    )
  const tested = { commit: 'c1', tree: 't1' }
  await stores.journal.mergeQueues.change(queue, () => ({
    ...emptyRecord(),
    window: 2,
    builds: [{ members: [member(1)], ...tested, attempts: [{ number: 1, commit: 'c1', since: at }] }],
    removals: [{ member: member(3), reason: 'pipeline_failed', at, link: 'https://git/p/1\u001b[2J' }],
    recent: [{ members: [member(9)], from: { commit: 'c0', tree: 't0' }, ...tested, since: at, by: 'accept', at }],
  }))
}

test('an empty list says so', async () => {
  expect(await run('list', '--project', '8')).toEqual(prints('No merge request entered a merge queue yet.\n'))
  expect((await run('show', '8')).out).toBe('No merge request of project 8 entered a merge queue yet.\n')
  expect(JSON.parse((await run('show', '8', '--format', 'json')).out)).toEqual([])
  expect(await run('show', '8', 'main')).toEqual(refuses(1, /^bellhop: There is no merge queue of that target branch/))
})

test('a merge queue is listed and shown, and text from outside cannot control the terminal', async () => {
  await fill()
  expect((await run('list')).out).toMatch(
    /project .*target .*state .*\n.*\n.*7 .*release\/1\.0 .*active .*1 of 2 .*1 .*0 .*1 .*1 .*2026-11-24T10:00:00/,
  )
  const { code, out, err } = await run('show', '7', 'release/1.0')
  expect([code, err]).toEqual([0, ''])
  for (const line of [
    /^merge queue main of project 7 into release\/1\.0\n {2}state {4}active\n {2}window {3}2 builds at once\n/,
    /Builds, each on top .*:\n.*\n.*state.*\n.*\n.*testing .*!1 .*c1 .*1: testing 2026-11-24T10:00:00/,
    /Waiting, the next first:\n.*\n.*\n.*\n.*!2 .*the end of a freeze/,
    /Removed:\n.*\n.*\n.*\n.*!3 .*its pipeline on top of .* failed .*https:\/\/git\/p\/1 \[2J/,
    /Last landings:\n.*\n.*\n.*\n.*2026-11-24T10:00:00.* .*!9 .*c1/,
  ])
    expect(out).toMatch(line)
  const json = JSON.parse((await run('show', '7', '--format', 'json')).out)
  expect(json).toMatchObject([{ target: 'release/1.0', waiting: [{ iid: 2, frozen: true }] }])
})

test('a paused merge queue says why', async () => {
  const paused = { reason: 'by_operator' as const, since: at }
  await stores.journal.mergeQueues.change(queue, (before = emptyRecord()) => ({ ...before, paused }))
  expect((await run('list')).out).toContain('paused: an operator paused it')
})

test('every command of docs/merge-queue.md and, simulations aside, of docs/merge-queue-operating.md works', async () => {
  await fill()
  await nameHotelApp(stores.journal)
  const outputs: string[] = []
  for (const command of [
    ...fencedCommands(readPage('merge-queue-operating.md')).filter((line) => !line.includes(' simulate')),
    ...fencedCommands(readPage('merge-queue.md')),
  ]) {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
    const args = words.slice(1).map((word) => (word === 'main' ? queue.target : word))
    const { code, out } = await bot.run(...args)
    expect([command, code]).toEqual([command, 0])
    outputs.push(out)
  }
  const parts = [
    'last landing',
    'merge queue main of hotel/app into release/1.0',
    'hotel/app!2 · Bump left-pad is the next in',
    'hotel/app!2 · Bump left-pad is removed from',
    'is paused.',
    'is resumed.',
    'hotel/app: It is frozen until',
    'hotel/app: The freeze is over.',
    'wait P50',
  ]
  expect(outputs).toEqual(parts.map((part) => expect.stringContaining(part)))
  const { items } = await stores.journal.audit.list({ limit: 6 })
  expect(items.map(({ operation, why }) => `${operation}: ${why}`)).toEqual([
    'end_freeze: undefined',
    'freeze: undefined',
    'resume_merge_queue: undefined',
    'pause_merge_queue: a migration',
    'remove_merge_queue_entry: undefined',
    'move_merge_queue_entry: a hotfix',
  ])
})

test.each([
  ['front', 'hotel/app!2', 'release/1.0'],
  ['front', '7!2', 'release/1.0'],
  ['remove', '7', 'release/1.0', '2'],
])('%s %s %s names the merge request', async (...args) => {
  await fill()
  await nameHotelApp(stores.journal)
  expect(await run(...args)).toMatchObject({ code: 0, out: expect.stringMatching(/^hotel\/app!2 · Bump left-pad is /) })
})

test.each([
  [['hotel/app', 'release/1.0'], 'Name a merge request'],
  [['hotel/app!2', 'release/1.0', '3'], 'two merge requests'],
])('a merge request named as %j is wrong usage', async (args, why) => {
  await nameHotelApp(stores.journal)
  expect(await run('front', ...args)).toEqual(refuses(2, why))
})
