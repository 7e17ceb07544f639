// `bellhop merge-queue simulate` on the real planner, and with the past of the real admin API over a real journal.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from '../../../src/rules/event-types.ts'
import { useStores } from '../../bot/stores.ts'
import { fencedCommands, readPage } from '../../docs/pages.ts'
import { refuses } from '../run-here.ts'
import { useRunningBot } from '../running-bot.ts'

const stores = useStores({ own: true })
const start = Date.parse('2026-11-24T08:00:00.000Z')
const { run } = useRunningBot(() => ({ journal: stores.journal }))

async function deliver(project: number, minute: number, event: Partial<Event> & { kind: string }): Promise<void> {
  const at = new Date(start + minute * 60_000).toISOString()
  const id = `${project}-${minute}-${event.kind}`
  await stores.journal.deliveries.save({
    ...{ id, receivedAt: at, header: 'Hook', bytes: 1, state: 'no_merge_request', mergeRequests: [] },
    event: { project, at, actor: { id: 1 }, ...event } as Event,
  })
}

async function deliverPipeline(project: number, minutes: [number, number], status: string, ref = 'topic') {
  const pipeline = { id: minutes[0], sha: `${project}-${minutes[0]}`, status }
  await deliver(project, minutes[0], { kind: 'pipeline.running', ref, pipeline })
  await deliver(project, minutes[1], { kind: `pipeline.${status}`, ref, pipeline })
  return pipeline.sha
}

async function mergeMany(project: number, count: number): Promise<void> {
  for (let iid = 1; iid <= count; iid += 1) {
    const head = await deliverPipeline(project, [10 * iid, 10 * iid + 7], 'success')
    await deliver(project, 10 * iid + 8, { kind: 'merge_request.merge', iid, head, target: 'main' })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'simulate-'))
afterAll(() => rmSync(folder, { recursive: true }))
const simulate = (...args: string[]) => run('merge-queue', 'simulate', ...args)

test('shows four queues, the same figures for a seed', async () => {
  const flags = ['--count', '60', '--seed', '3']
  const { code, err, out } = await simulate(...flags)
  expect([code, err, out]).toEqual([0, '', (await simulate(...flags)).out])
  expect(out).toMatch(/one after the other.*\n.*batches.*\n.*oracle/)
  expect(JSON.parse((await simulate(...flags, '--format', 'json')).out)).toHaveLength(4)
})

test('it shows your queue with the others, by flags or by a rule file, and a picture', async () => {
  const [first, second] = [join(folder, '.bellhop.yml'), join(folder, 'other.yml')]
  writeFileSync(first, 'version: 1\nqueues: [{ name: main, target: main, speculate: 1 }]\nrules: []\n')
  writeFileSync(second, 'version: 1\nqueues: [{ name: main, target: main, speculate: 0 }]\nrules: []\n')
  const of = async (...args: string[]) => {
    const { code, out } = await simulate('--count', '60', '--runners', '4', '--format', 'json', ...args)
    expect(code).toBe(0)
    const queues = JSON.parse(out) as { queue: string; waitP95: number }[]
    return (name: string) => queues.find(({ queue }) => queue === name)?.waitP95
  }
  const byFile = await of('--rules', first)
  expect(byFile('yours')).toBe(byFile('one after the other'))
  const byFlags = await of('--speculate', '1', '--retries', '0')
  expect(byFlags('yours')).not.toBe(byFlags('one after the other'))
  expect((await simulate('--count', '60', '--speculate', '4')).out).toMatch(
    /\nwait P95:\n {2}default +█+ \d+ min\n {2}yours +█+ \d+ min\n/,
  )
  expect(await simulate('--rules', second)).toEqual(refuses(2, `${second}:2:`))
})

test('the past of a project is replayed, and it says what it is made of', async () => {
  await mergeMany(7, 12)
  await deliverPipeline(7, [201, 208], 'success', 'main')
  await deliverPipeline(7, [301, 308], 'failed', 'main')
  const { code, out, err } = await simulate('--from-journal', '7', '--flaky', '0')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(
    new RegExp(
      [
        '^7 into main: 12 merge requests',
        ' {2}ready {6}2026-11-24T08:17:00.000Z to 2026-11-24T10:07:00.000Z',
        ' {2}pipelines {2}P50 7.0 min, P95 7.0 min, of 14',
        ' {2}bad {8}50 %: 1 of 2: .*',
        ' {2}flaky {6}0 %: as given',
        ' {2}conflicts {2}0.1 %: assumed: .*',
        '[^]*wait P50[^]*default[^]*one after the other[^]*batches[^]*oracle .*7 min',
      ].join('\n'),
    ),
  )
  const json = JSON.parse((await simulate('--from-journal', '7', '--bad', '0', '--step', '0', '--format', 'json')).out)
  expect(json).toMatchObject({
    ...{ project: '7', target: 'main', mergeRequests: 12, pipelines: 14, since: '2026-11-24T08:10:00.000Z' },
    ...{ bad: { share: 0, from: 'as given' }, flaky: { share: 0 }, conflicts: { share: 0.001 } },
    queues: [{ queue: 'default', merged: 12, waitP50: 7 * 60_000 }, {}, {}, { queue: 'oracle' }],
  })
})

test('every simulation of docs/merge-queue-operating.md works', async () => {
  await mergeMany(11, 10)
  const simulations = fencedCommands(readPage('merge-queue-operating.md')).filter((line) => line.includes(' simulate'))
  expect(simulations).toHaveLength(6)
  const rules = join(folder, 'rules.yml')
  writeFileSync(rules, 'version: 1\nqueues: [{ name: main, target: main }]\nrules: []\n')
  for (const command of simulations) {
    const args = command.split(' ').slice(1)
    const { code, out } = await run(...args.map((word) => ({ 'hotel/app': '11', '.bellhop.yml': rules })[word] ?? word))
    expect([command, code, out]).toEqual([command, 0, expect.stringContaining('wait P50')])
  }
})

test('what the journal lacks is named', async () => {
  expect(await simulate('--from-journal', '8')).toEqual(
    refuses(
      1,
      /no delivery of it is stored:\n.*- 0 merges, of at least 10: .*\n.*- no pipeline whose start and end were both delivered/,
    ),
  )
  await mergeMany(9, 3)
  expect(await simulate('--from-journal', '9', '--target', 'dev')).toEqual(
    refuses(1, /since 2026-11-24T08:10:00.000Z are stored:\n.*- 0 merges into dev, .* of main \(3\)\n$/),
  )
})

test.each([
  [['--from-journal', '7', '--arrivals', '3'], '--arrivals'],
  [['--target', 'main'], '--target needs --from-journal'],
  [['--bad', '101'], '0 to 100'],
  [['--red', '-1'], '0 to 100'],
  [['--runners', '0'], 'from 1'],
  [['--speculate', '21'], 'from 1 to 20'],
  [['--arrivals', '0'], 'from 1'],
  [['--count', '2001'], 'from 1 to 2000'],
])('%j is wrong usage', async (flags, message) => {
  expect(await simulate(...flags)).toEqual(refuses(2, message))
})
