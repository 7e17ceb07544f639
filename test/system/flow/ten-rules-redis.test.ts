// Ten rules as a newcomer writes them from the docs, each in a file of its own, and what they do on the sandbox. On Redis alone: no case depends on the backend.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bellhop } from '../../cli/run-cli.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const ten = {
  'label by paths': `
    if: { changed_files: { any: ["web/**", "**/*.css"] } }
    then: { label: { add: frontend } }`,
  'size labels': `
    if: { lines_changed: { at_most: 50 } }
    then: { label: { while: "size::S" } }`,
  'approve patch updates': `
    if: { author: renovate-bot, pushed_by: { all: renovate-bot }, version_change: patch, pipeline: success }
    then: { approve: true }`,
  'accept when green with two approvals': `
    if: { pipeline: success, approvals_given: { at_least: 2 }, draft: false }
    then: { accept: { remove_source_branch: true } }`,
  'estimate from the title': `
    if: { title: { matches: "\\\\[(?<time>\\\\d+[hm])\\\\]" } }
    then: { estimate: "{{ time }}" }`,
  'tell a team': `
    if: { state: opened, changed_files: { any: "infra/**" } }
    then: { comment: "@hotel/platform: this changes the infrastructure." }`,
  'missing description': `
    if: { state: opened, description: "" }
    then: { comment: { while: "@{{ author }}, please write a description." }, label: { while: needs description } }`,
  'freeze on Friday': `
    if: { state: opened, clock: { days: [fri], zone: Europe/Berlin }, labels: { none: hotfix } }
    then: { cancel_accept: true, label: { while: freeze } }`,
  'close stale': `
    if: { state: opened, inactive_for: { older_than: 44d } }
    then: { close: true, comment: "Closed: nothing happened." }`,
  'assign reviewers': `
    if: { state: opened, draft: false, changed_files: { any: "api/**" }, author: { not: alice } }
    then: { review: [alice] }`,
}
const rules = `version: 1\nrules:${Object.entries(ten)
  .map(([name, text]) => `\n  - name: ${name}${text}\n`)
  .join('')}`

onRedis((queueUrl) => {
  let world: TestWorld
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellhop-ten-'))
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
  })
  afterAll(async () => {
    await world.end()
    await rm(folder, { recursive: true, force: true })
  })

  const notes = async (iid: number) =>
    (await world.service.mergeRequests.notes.list(world.ref(iid))).body.map(({ body }) => body?.split('\n')[0])
  const open = (title: string, path: string, more = {}) =>
    world.open(title, { files: { [path]: `${title}\n` }, description: 'Why.', ...more })
  const settings = () => ({
    BELLHOP_SERVICE_URL: world.sandbox.url,
    BELLHOP_SERVICE_TOKEN: world.people.bellhop.token,
  })
  /** What the rules would do at another time. */
  const explained = async (iid: number, whatIf: string) =>
    (await bellhop(['explain', 'hotel/app', String(iid), '--what-if', whatIf], settings())).out

  test('check accepts each of them, without a warning', async () => {
    await mkdir(folder, { recursive: true })
    const files = await Promise.all(
      Object.entries(ten).map(async ([name, text]) => {
        const file = join(folder, `${name.replaceAll(' ', '-')}.yml`)
        await writeFile(file, `version: 1\nrules:\n  - name: ${name}${text}\n`)
        return file
      }),
    )
    expect(await bellhop(['check', ...files])).toMatchObject({ code: 0, out: '10 files without problems.\n', err: '' })
  })
  test('labels by paths and by size', async () => {
    const { iid } = await open('Paint the web', 'web/door.ts')
    expect(await world.labels(iid)).toEqual(['frontend', 'size::S'])
  })
  test('approves a patch update of the bot when it is green, and no minor one', async () => {
    const { renovate, bellhop: bot } = world.people
    const update = async (to: string) => {
      const description = `This MR contains the following updates:\n\n| Package | Change |\n|---|---|\n| [left-pad](x) | \`1.0.0\` -> \`${to}\` |\n`
      const { iid, sha, branch } = await open(`Update left-pad to v${to}`, 'package.json', {
        as: renovate,
        description,
      })
      await world.pipeline(sha, branch, 'success')
      await world.settle()
      const { body } = await world.service.mergeRequests.approvals(world.ref(iid))
      return body.approved_by?.map(({ user }) => user?.username)
    }
    expect([await update('1.0.1'), await update('1.1.0')]).toEqual([[bot.username], []])
  })
  test('accepts what is green with two approvals', async () => {
    const { iid, sha, branch } = await open('Two people agree', 'src/agree.ts')
    await world.pipeline(sha, branch, 'success')
    await world.as(world.people.renovate).mergeRequests.approve(world.ref(iid))
    await world.settle()
    expect((await world.mergeRequest(iid)).state).toBe('opened')
    await world.service.mergeRequests.approve(world.ref(iid))
    await world.settle()
    expect((await world.mergeRequest(iid)).state).toBe('merged')
  })
  test('estimates from the title', async () => {
    const [good, bad] = [await open('Fix it [2h]', 'src/fix.ts'), await open('Fix it [0h]', 'src/not.ts')]
    const estimate = async (iid: number) => (await world.mergeRequest(iid)).time_stats?.time_estimate
    expect([await estimate(good.iid), await estimate(bad.iid)]).toEqual([7200, 0])
  })
  test('tells a team', async () => {
    const { iid } = await open('Move the walls', 'infra/walls.tf')
    expect(await notes(iid)).toEqual(['@hotel/platform: this changes the infrastructure.'])
  })
  test('asks for a description, until there is one', async () => {
    const { iid } = await open('Say nothing', 'src/nothing.ts', { description: '' })
    expect([await notes(iid), await world.labels(iid)]).toEqual([
      ['@alice, please write a description.'],
      ['needs description', 'size::S'],
    ])
    await world.update(iid, { description: 'Because.' })
    expect([await notes(iid), await world.labels(iid)]).toEqual([[], ['size::S']])
  })
  test('freezes on Friday, and closes what is stale', async () => {
    const { iid } = await open('Wait for it', 'src/wait.ts')
    expect(await explained(iid, 'now=2026-11-27T10:00Z')).toMatch(/✓ freeze on Friday [\s\S]*label: .*add "freeze"/)
    expect(await explained(iid, 'now=2026-11-26T10:00Z')).toMatch(/✗ freeze on Friday/)
    expect(await explained(iid, 'inactive_for=45d')).toMatch(/✓ close stale [\s\S]*→ close: /)
    expect(await explained(iid, 'inactive_for=43d')).toMatch(/✗ close stale/)
  })
  test('assigns reviewers', async () => {
    const { iid } = await open('Change the interface', 'api/door.ts', { as: world.people.renovate })
    expect((await world.mergeRequest(iid)).reviewers?.map(({ username }) => username)).toEqual(['alice'])
  })
})
