// `--service NAME`: commands about one of the hosting services that a file names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  const TOKEN = service.environment.BELLHOP_SERVICE_TOKEN ?? ''
  environment = { BELLHOP_SERVICES: file, BELLHOP_URL: BASE, TOKEN, KEY, OTHER: `another-${KEY}` }
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true })
})

test('hooks are made on the service that is named, and lead to its own address', async () => {
  const before = { id: 'hotel/app', url: `${BASE}/hooks/1`, token: 'old' }
  await service.root.projects.hooks.create(before)
  expect(await bellhopHere(['hooks', 'install', 'hotel', '--service', 'here'], environment)).toMatchObject({ code: 0, err: '' })
  const [hook, ...others] = (await service.root.projects.hooks.list({ id: 'hotel/app' })).body
  const project = (await service.root.projects.get({ id: 'hotel/app' })).body.id
  expect([hook?.url, others]).toEqual([`${BASE}/hooks/here/${project}`, []])
})

test.each([
  ['none', [], /^bellhop: Which hosting service is meant\? Say it by --service: away, here\.\n$/],
  [
    'one that is not there',
    ['--service', 'there'],
    /^bellhop: There is no service "there" in .*services\.yml\. Say it by --service: away, here\.\n$/,
  ],
])('where %s is named it is a mistake of one line', async (_name, more, said) => {
  expect(await bellhopHere(['hooks', 'status', 'hotel', ...more], environment)).toEqual({
    code: 2,
    out: '',
    err: expect.stringMatching(said),
  })
})
