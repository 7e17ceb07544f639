// Bad input to `bellhop run`: one clear line, the right exit code, and nothing half done.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunWorld, startRunWorld } from './run-world.ts'

const rules = `
version: 1
rules:
  - name: all are stale
    if: { draft: false }
    then: { label: { add: stale } }
  - name: merge on request
    command: merge
    then: { accept: true }
`
let world: RunWorld
beforeAll(async () => {
  world = await startRunWorld(rules)
  return () => world.close()
})

const line = (text: string) => expect.stringMatching(new RegExp(`^bellhop: [^\\n]*${text}[^\\n]*\\n$`))
const readOnly = async () => {
  const [{ id = 0 } = {}] = (await world.root.users.list({ username: 'bellhop' })).body
  const made = await world.root.users.createToken({ user_id: id, name: 'read', scopes: ['read_api'] })
  return made.body.token ?? ''
}

test.each([
  ['no token', [], { BELLHOP_SERVICE_TOKEN: '' }, 2, 'BELLHOP_SERVICE_TOKEN'],
  ['no service', [], { BELLHOP_SERVICE_URL: '' }, 2, 'BELLHOP_SERVICE_URL'],
  ['a wrong token', [], { BELLHOP_SERVICE_TOKEN: 'wrong' }, 1, 'Is BELLHOP_SERVICE_TOKEN right'],
  ['an unknown project', ['--project', 'hotel/none'], {}, 1, 'no project and no group hotel/none'],
  ['two targets', ['--project', 'hotel/app', '--all'], {}, 2, 'Give one of'],
  ['an empty target', ['--project', ''], {}, 2, 'need an id or a path'],
  ['a wrong setting', [], { BELLHOP_CONCURRENCY: 'many' }, 2, 'BELLHOP_CONCURRENCY'],
] as const)('%s is one line', async (_, args, environment, code, text) => {
  const before = world.writes().length
  const ended = await world.bellhop(args, environment)
  expect(ended).toMatchObject({ code, stdout: '', stderr: line(text) })
  const sent = world.writes().slice(before)
  expect(sent.filter((name) => name !== 'projects.star')).toEqual([])
})

test('a token that may only read is one line', async () => {
  const ended = await world.bellhop(undefined, { BELLHOP_SERVICE_TOKEN: await readOnly() })
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: line('It needs the scope api') })
})

test('a duration that is none is wrong usage, and so is the command to freeze a queue', async () => {
  expect(await world.bellhop(['--for', 'ever'])).toMatchObject({ code: 2, stderr: expect.stringContaining('15m') })
  expect(await world.bellhop(['freeze'])).toMatchObject({ code: 2 })
})

test('what others changed in the journal is not used, and what they added is not run', async () => {
  const { iid } = await world.open({ branch: 'one' })
  expect(await world.summary()).toMatchObject({ code: 0, problems: [] })
  expect(await world.summary()).not.toHaveProperty('forgotten')
  const stored = join(world.journal, 'journal', 'store')
  const file = join(stored, 'PG_VERSION')
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n`)
  await world.root.mergeRequests.update({ ...world.ref(iid), remove_labels: 'stale' })
  const changed = await world.summary()
  expect(changed).toMatchObject({ code: 0, forgotten: expect.stringContaining('is not as a run') })
  // It is new again for a journal that knows nothing.
  expect((await world.mergeRequest(iid)).labels).toEqual(['stale'])
  expect(await world.summary()).not.toHaveProperty('forgotten')
  // Another token may be of another user, and other projects have another journal.
  expect(JSON.parse((await world.bellhop(['--group', 'hotel', '--format', 'json'])).stdout)).toMatchObject({
    forgotten: expect.stringContaining('is not as a run'),
  })
})

test('a rule file that is broken fails the run, which does what needs no rules', async () => {
  const file = { action: 'update' as const, file_path: '.bellhop.yml' }
  const change = (actions: { action: 'create' | 'update' | 'delete'; file_path: string; content?: string }[]) =>
    world.root.repository.commits.create({ id: world.project, branch: 'master', commit_message: 'Rules', actions })
  await change([{ ...file, content: 'rules: no' }])
  const broken = await world.summary()
  expect(broken).toMatchObject({
    code: 1,
    problems: expect.arrayContaining([expect.stringContaining('.bellhop.yml:')]),
  })
  await change([{ ...file, action: 'delete' }])
  const without = await world.bellhop()
  expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining('hotel/app: no rules are in force.') })
  await change([{ ...file, action: 'create', content: rules }])
})

test('a comment does not freeze: a lost journal would end that', async () => {
  const { iid } = await world.open({ branch: 'frozen' })
  await world.say(iid, '@bellhop freeze 2h because the release\n@bellhop help')
  expect(await world.summary()).toMatchObject({ code: 0, problems: [] })
  const [answer] = await world.answers(iid)
  expect(answer).toMatch(/^`freeze`: not done: .* use `freeze:` in the rules/)
  expect(answer).toMatch(/@\S*bellhop why/)
  expect(answer).not.toMatch(/@\S*bellhop freeze/)
  await world.say(iid, '@bellhop merge')
  await world.summary()
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged' })
})
