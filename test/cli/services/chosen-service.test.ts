// `--service NAME`: commands about one of the hosting services that a file names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectSecrets } from '../../../src/bot/webhook/project-secrets.ts'
import { BASE, KEY } from '../hooks/hooks-world.ts'
import { bellhopHere } from '../run-here.ts'
import { startScenario } from '../scenario-service.ts'

const text = `
version: 1
users: [{ username: bellhop, bot: true }]
groups: [{ path: hotel, members: { bellhop: maintainer } }]
projects: [{ path: hotel/app }]
`
const folder = mkdtempSync(join(tmpdir(), 'bellhop-chosen-'))
let service: Awaited<ReturnType<typeof startScenario>>
let environment: Record<string, string>
beforeAll(async () => {
  service = await startScenario({ text })
  const file = join(folder, 'services.yml')
  const hooks = (variable: string) => `hook_master_key: { variable: ${variable} }, rules: /nowhere`
  writeFileSync(
    file,
    `version: 1\nservices:\n  - { name: away, url: "http://127.0.0.1:9", token: { variable: TOKEN }, ${hooks('OTHER')} }\n  - { name: here, url: "${service.environment.BELLHOP_SERVICE_URL}", token: { variable: TOKEN }, ${hooks('KEY')} }\n`,
  )
  writeFileSync(rules, 'version: 1\nrules: [{ name: a, if: { author: bellhop }, then: { subscribe: true } }]\n')
  const TOKEN = service.environment.BELLHOP_SERVICE_TOKEN ?? ''
  environment = { BELLHOP_SERVICES: file, BELLHOP_URL: BASE, TOKEN, KEY, OTHER: `another-${KEY}` }
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true })
})

test('hooks are installed on the named service, with its own address', async () => {
  const before = { id: 'hotel/app', url: `${BASE}/hooks/1`, token: 'old' }
  await service.root.projects.hooks.create(before)
  expect(await bellhopHere(['hooks', 'install', 'hotel', '--service', 'here'], environment)).toMatchObject({
    code: 0,
    err: '',
  })
  const [hook, ...others] = (await service.root.projects.hooks.list({ id: 'hotel/app' })).body
  const project = (await service.root.projects.get({ id: 'hotel/app' })).body.id
  expect([hook?.url, others]).toEqual([`${BASE}/hooks/here/${project}`, []])
})

const rules = join(folder, 'rules.yml')

/** What each prints when it called the right service. */
const commands: [string[], RegExp][] = [
  [['doctor'], /ok {4}token/],
  [['explain', 'hotel/app'], /hotel\/app/],
  [['check', rules, '--online', '--project', 'hotel/app'], /without problems/],
  [['backtest', 'hotel/app'], /0 merge requests/],
  [['hooks', 'install', 'hotel', '--dry-run'], /1 project/],
  [['hooks', 'status', 'hotel'], /1 project/],
  [['hooks', 'rotate', 'hotel', '--unchecked', '--dry-run'], /1 project/],
  [['hooks', 'remove', 'hotel', '--dry-run'], /1 project/],
]

/** Two for each service, for `rotate`. */
const rotating = { KEY: `${KEY},an-older-${KEY}`, OTHER: `another-${KEY},another-older-${KEY}` }

describe.each(commands)('bellhop %j', (args, output) => {
  const run = (...more: string[]) => bellhopHere([...args, ...more], { ...environment, ...rotating })

  test('calls the named service; without a known name it is wrong usage', async () => {
    expect((await run('--service', 'here')).out).toMatch(output)
    const choose = 'Choose one with --service: away, here.'
    const refused = (problem: string) => ({ code: 2, out: '', err: `bellhop: ${problem} ${choose}\n` })
    expect(await run()).toEqual(refused('Several hosting services are configured.'))
    expect(await run('--service', 'there')).toEqual(refused(`There is no service "there" in ${folder}/services.yml.`))
  })
})

test('a service that is unreachable is reported for its own name', async () => {
  const away = await bellhopHere(['doctor', '--service', 'away'], environment)
  expect([away.code, away.out]).toEqual([1, expect.stringContaining('got no answer')])
})

test('the secret of a hook is derived from the master key of the named service', async () => {
  for (const [name, key] of [
    ['here', KEY],
    ['away', `another-${KEY}`],
  ] as const) {
    const secret = (...more: string[]) => bellhopHere(['hooks', 'secret', '7', '--service', name, ...more], environment)
    const [token] = projectSecrets([key], 7).tokens
    expect(await secret()).toEqual({ code: 0, out: `${token}\n`, err: '' })
    expect(JSON.parse((await secret('--format', 'json')).out)).toMatchObject({ path: `/hooks/${name}/7`, token })
  }
  for (const more of [[], ['--service', 'there']])
    expect(await bellhopHere(['hooks', 'secret', '7', ...more], environment)).toEqual({
      ...{ code: 2, out: '', err: expect.stringMatching(/^bellhop: .* Choose one with --service: away, here\.\n$/) },
    })
})

test('rules are checked without a service', async () => {
  expect(await bellhopHere(['check', rules], environment)).toMatchObject({ code: 0, err: '' })
})

test('with one service, another name is wrong usage', async () => {
  const alone = { BELLHOP_SERVICE_URL: 'http://127.0.0.1:9', BELLHOP_SERVICE_TOKEN: 't', BELLHOP_HOOK_SECRET: 'hook' }
  const line = 'There is no service "there": --service needs a file of several (BELLHOP_SERVICES).'
  expect(await bellhopHere(['doctor', '--service', 'there'], alone)).toEqual({
    code: 2,
    out: '',
    err: `bellhop: ${line}\n`,
  })
})
