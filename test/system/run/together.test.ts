// Two runs at once, a run that only tries, one step of a merge queue, and what a run writes.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from '../../cli/own-folder.ts'
import { runCommand, startCommand } from '../process.ts'
import { startRunWorld } from './run-world.ts'

const rules = `
version: 1
rules:
  - name: merge when green
    if: { author: [renovate-bot], pipeline: success }
    then: { approve: true, comment: "It is green.", accept: true }
  - name: note the time
    command: spent
    then: { spend: 15m }
`
const queueRules = `
version: 1
queues:
  - { name: main, target: master }
rules:
  - name: queue on request
    command: queue
    then: { accept: { queue: main } }
`

async function openWorld(of = rules) {
  const world = await startRunWorld(of)
  onTestFinished(() => world.close())
  return world
}

test('two runs at once: one on the same folder has nothing to do, one elsewhere doubles nothing', async () => {
  const world = await openWorld()
  const merged = await world.open({ branch: 'one', by: 'renovate-bot' })
  const other = await world.open({ branch: 'two' })
  await world.say(other.iid, '@bellhop spent')
  const args = ['run', '--project', 'hotel/app', '--journal']
  const environment = { BELLHOP_NEW_RULE_LIMIT: '0', ...world.environment }
  const first = startCommand([...args, world.journal], environment)
  await expect.poll(() => existsSync(join(world.journal, 'journal'))).toBe(true)
  expect(await runCommand([...args, world.journal], environment)).toEqual({
    code: 0,
    stdout: '',
    stderr: `bellhop: another run, or bellhop serve, uses ${world.journal}: there is nothing to do\n`,
  })
  const elsewhere = await runCommand([...args, join(ownFolder().folder, 'other')], environment)
  expect([(await first.ended).code, elsewhere.code]).toEqual([0, 0])
  expect(await world.mergeRequest(merged.iid)).toMatchObject({ state: 'merged' })
  expect(world.called.filter((name) => name === 'mergeRequests.accept')).toHaveLength(1)
  expect(await world.answers(merged.iid)).toHaveLength(1)
})

test('a dry run shows what would be done, and sends and stores nothing', async () => {
  const world = await openWorld()
  const { iid } = await world.open({ branch: 'one', by: 'renovate-bot' })
  await world.open({ branch: 'two' })
  await world.say(2, '@bellhop spent')
  const tried = await world.summary(['--dry-run'])
  expect(tried).toMatchObject({ code: 0, dryRun: true })
  expect(tried.subjects.map(({ iid, done }) => [iid, done])).toEqual([
    [2, [expect.stringContaining('would spend: add 15m'), expect.stringContaining('would comment')]],
    [iid, expect.arrayContaining([expect.stringContaining('would approve'), expect.stringContaining('would accept')])],
  ])
  expect(world.writes()).toEqual(['projects.star'])
  expect(existsSync(world.journal)).toBe(false)
})

test('a merge queue takes a step in each run, until it lands', async () => {
  const world = await openWorld(queueRules)
  const { iid } = await world.open({ branch: 'one' })
  await world.say(iid, '@bellhop queue')
  const environment = { BELLHOP_WORK_DIR: join(world.folder, 'work') }
  const step = async () => expect(await world.bellhop(undefined, environment)).toMatchObject({ code: 0 })
  await step()
  const branches = (await world.root.repository.branches.list({ id: world.project })).body
  const { name: ref = '', commit } = branches.find(({ name }) => name?.startsWith('bellhop/queue/')) ?? {}
  const state = { id: world.project, sha: commit?.id ?? '', ref, state: 'success', name: 'ci' } as const
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'opened' })
  await world.root.repository.statuses.create(state)
  await step()
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged' })
})

test('a refused call fails the run; a rate limit is waited for, no longer than --for', async () => {
  const world = await openWorld()
  const { iid } = await world.open({ branch: 'one', by: 'renovate-bot' })
  const { faults } = world.sandbox
  faults.api({ endpoint: 'mergeRequests.approve', caller: 'bellhop', do: { status: 403 } })
  const refused = await world.summary()
  expect(refused).toMatchObject({ code: 1, subjects: [{ iid, failed: true }] })
  expect(refused.subjects[0]?.done).toContainEqual(expect.stringContaining('refused'))
  faults.clear()
  const limited = { status: 429, headers: { 'retry-after': '1' } }
  faults.api({ endpoint: 'mergeRequests.list', caller: 'bellhop', times: 1, do: limited })
  expect(await world.summary()).toMatchObject({ code: 0 })
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged' })
  faults.api({
    endpoint: 'mergeRequests.list',
    caller: 'bellhop',
    do: { status: 429, headers: { 'retry-after': '900' } },
  })
  const over = await world.bellhop(['--project', 'hotel/app', '--for', '1m'])
  expect(over).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^bellhop: .*429.*\n$/m) })
})

test('the time of --for may end in the middle: the next run does the rest, and nothing twice', async () => {
  const world = await openWorld()
  const { iid } = await world.open({ branch: 'one', by: 'renovate-bot' })
  await world.say(iid, '@bellhop spent')
  const { faults } = world.sandbox
  const limited = { status: 429, headers: { 'retry-after': '20' } }
  faults.api({ endpoint: 'mergeRequests.accept', caller: 'bellhop', do: limited })
  const first = await world.summary(['--for', '15s'])
  expect(first).toMatchObject({ code: 1, stopped: expect.any(String) })
  faults.clear()
  expect(await world.summary()).toMatchObject({ code: 0, problems: [] })
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged', time_stats: { total_time_spent: 15 * 60 } })
  expect((await world.answers(iid)).filter((body) => body.startsWith('It is green.'))).toHaveLength(1)
})

test('in a CI job its variables are the defaults, and the report is Markdown without markup of others', async () => {
  const world = await openWorld()
  await world.open({ branch: 'one', by: 'renovate-bot', pipeline: 'running' })
  await world.root.mergeRequests.update({ ...world.ref(1), title: 'a | b <b>c</b>' })
  const report = join(world.folder, 'bellhop.md')
  const { BELLHOP_SERVICE_URL: CI_SERVER_URL = '', BELLHOP_SERVICE_TOKEN = '' } = world.environment
  const environment = { CI_SERVER_URL, CI_PROJECT_PATH: 'hotel/app', BELLHOP_SERVICE_TOKEN }
  const ended = await runCommand(['run', '--journal', world.journal, '--report', report], environment)
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('hotel/app!1 · a | b') })
  // Lines for people, and no secret.
  expect(ended.stderr).toMatch(/ info {2}decided mergeRequest=hotel\/app!1/)
  expect(ended.stderr).not.toContain(BELLHOP_SERVICE_TOKEN)
  const text = readFileSync(report, 'utf8')
  expect(text).toMatch(/^# Bellhop\n\n1 project, 1 read, 1 evaluated\.\n/)
  expect(text).toMatch(/^\| \[.*a \\\| b .*\]\(http.*\) \| Not merged: /m)
  expect(text).not.toContain('<b>')
})
