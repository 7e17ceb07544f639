// `bellhop hooks install` on a whole group in a sandbox.
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { TOKEN, useAdmin } from '../../admin/serve-admin.ts'
import { useStores } from '../../bot/stores.ts'
import { prints } from '../run-here.ts'
import { BASE, KEY, OLD_KEY, useCompany } from './hooks-world.ts'

const base = {
  ...{ push_events: true, merge_requests_events: true, note_events: true, job_events: false },
  enable_ssl_verification: true,
}

const company = useCompany()
const stores = useStores()
const health = { result: 'wrong', details: [], bad: true, checkedAt: '2026-11-21T10:00:00Z', events: ['note_events'] }
const admin = useAdmin(() => ({ journal: stores.journal, hookHealth: async () => health }))

test('installs the hook of each project of a group and its subgroups, with the events that its rules need; a second run changes nothing', async () => {
  const dry = await company.run(['install', 'hotel', '--dry-run'])
  expect([dry.code, dry.err, await company.hooksOf('hotel/app')]).toEqual([0, '', []])
  expect(dry.out).toMatch(/hotel\/app *│ to be installed *│ push, merge requests, note, pipeline/)
  expect(dry.out).toMatch(/\n4 projects: 4 to be installed\nNothing was changed \(--dry-run\)\.\n$/)

  const first = await company.runJson(['install', 'hotel', 'hotel/app'])
  expect([first.code, first.err, first.json.totals]).toEqual([0, '', { installed: 4 }])
  const ids = await Promise.all(
    ['hotel/app', 'hotel/broken', 'hotel/kitchen/cold/ice', 'hotel/plain'].map(company.projectId),
  )
  const of = async (path: string) => {
    const [hook, ...others] = await company.hooksOf(path)
    expect(others).toEqual([])
    return hook
  }
  const none = { pipeline_events: false, issues_events: false, wiki_page_events: false, tag_push_events: false }
  const ofApp = { ...base, ...none, url: `${BASE}/hooks/${ids[0]}`, pipeline_events: true, token_present: true }
  expect(await of('hotel/app')).toMatchObject(ofApp)
  const all = { pipeline_events: true, issues_events: true, wiki_page_events: true, tag_push_events: true }
  expect(await of('hotel/broken')).toMatchObject({ ...base, ...all })
  const ofIce = { ...base, ...none, issues_events: true, tag_push_events: true }
  expect(await of('hotel/kitchen/cold/ice')).toMatchObject(ofIce)
  expect(await of('hotel/plain')).toMatchObject({ ...base, ...none })

  const before = await company.hooksOf('hotel/app')
  expect(await company.run(['install', 'hotel'])).toEqual(prints('4 projects: 4 up to date\n'))
  expect(await company.hooksOf('hotel/app')).toEqual(before)
})

test('repairs differences, reports duplicates or removes them, and keeps the hooks of others', async () => {
  const id = await company.projectId('inn/one')
  const hooks = company.root.projects.hooks
  const other = (await hooks.create({ id, url: 'http://127.0.0.1:2/hooks', token: 'x' })).body
  const old = (await hooks.create({ id, url: `${BASE}/hooks/`, job_events: true, enable_ssl_verification: false })).body
  const repaired = await company.runJson(['install', 'inn/one'])
  const wrong = ['merge_requests_events is off', 'note_events is off', 'job_events is on', 'TLS verification is off']
  const details = [`its address is ${BASE}/hooks/`, ...wrong, 'it has no secret token']
  expect(repaired.json.projects).toEqual([
    { project: id, path: 'inn/one', result: 'repaired', hook: old.id, ok: true, details },
  ])
  const twice = (await hooks.create({ id, url: `${BASE}/hooks`, token: 'x' })).body
  const told = await company.run(['install', 'inn/one'])
  expect([told.code, told.out]).toEqual([0, expect.stringContaining(`hook ${twice.id} is a duplicate`)])
  expect(await company.hooksOf('inn/one')).toHaveLength(3)
  expect((await company.run(['install', 'inn/one', '--remove-duplicates'])).code).toBe(0)
  expect((await company.hooksOf('inn/one')).map((hook) => hook.id).sort()).toEqual([other.id, old.id].sort())
})

test('the secret is the project’s own, or shared without a master key; --renew writes it again', async () => {
  const id = await company.projectId('inn/two')
  const sent = async () => (await company.sandbox.within(async (world) => world.hooks.where('project', id)))[0]
  await company.run(['install', 'inn/two', '--all-events'])
  expect(await sent()).toMatchObject({ token: projectSecrets([KEY], id).tokens[0], signing_token: null })
  const renewal = ['install', 'inn/two', '--all-events', '--renew']
  const again = await company.run(renewal, { BELLHOP_HOOK_MASTER_KEY: OLD_KEY })
  expect(again.out).toMatch(/inn\/two *│ renewed/)
  expect(await sent()).toMatchObject({ token: projectSecrets([OLD_KEY], id).tokens[0] })
  await company.run(['install', 'inn/two', '--all-events', '--signing'])
  expect(await sent()).toMatchObject({ token: null, signing_token: projectSecrets([KEY], id).signing[0] })
  const shared = { BELLHOP_HOOK_MASTER_KEY: '', BELLHOP_HOOK_SECRET: 'new,old' }
  await company.run(['install', 'inn/two', '--all-events'], shared)
  expect(await sent()).toMatchObject({ url: `${BASE}/hooks`, token: 'new', signing_token: null })
})

test('where the operator’s rules are unknown no event is removed; the running Bellhop says which are needed', async () => {
  await company.run(['install', 'inn/seven', '--all-events'])
  const unknown = { BELLHOP_RULES: '' }
  for (const command of ['install', 'status'])
    expect((await company.run([command, 'inn/seven'], unknown)).out).toBe('1 project: 1 up to date\n')
  const asked = { ...unknown, BELLHOP_ADMIN_URL: admin.url, BELLHOP_ADMIN_TOKEN: TOKEN }
  expect((await company.run(['install', 'inn/seven'], asked)).out).toContain('push_events is on')
  expect((await company.hooksOf('inn/seven'))[0]).toMatchObject({ note_events: true, push_events: false })
})

test('the service verifies TLS, except with --no-tls-verification', async () => {
  const verifies = async () => (await company.hooksOf('inn/five')).map((hook) => hook.enable_ssl_verification)
  await company.run(['install', 'inn/five', '--all-events', '--no-tls-verification'])
  expect(await verifies()).toEqual([false])
  expect((await company.run(['status', 'inn/five', '--all-events', '--no-tls-verification'])).code).toBe(0)
  expect((await company.run(['install', 'inn/five', '--all-events'])).out).toMatch(
    /inn\/five *│ repaired *│ TLS verification is off/,
  )
  expect(await verifies()).toEqual([true])
})

test('lists failures with their reasons and remedies, and continues with the rest', async () => {
  const message = 'Maximum number of project hooks (100) exceeded'
  const full = company.sandbox.faults.api({
    endpoint: 'projects.hooks.create',
    do: { status: 422, body: { message: { base: [message] } } },
  })
  const { json: refused } = await company.runJson(['install', 'inn/full'])
  full()
  expect(refused.projects[0].details[0]).toMatch(
    /422: Maximum number of project hooks \(100\) exceeded\. Remove an unused hook\.$/,
  )
  const { code, json, err } = await company.runJson(['install', 'inn/three', 'shut', 'empty', 'nobody/nothing'])
  expect(code).toBe(1)
  expect(json.totals).toEqual({ installed: 1, failed: 1 })
  const reasons = Object.fromEntries(
    json.projects.map((each: { path: string; details: string[] }) => [each.path, each.details[0]]),
  )
  expect(reasons['shut/door']).toMatch(/403.*Hooks are for Maintainers:/)
  const me = (await company.root.users.list({ username: 'bellhop' })).body[0]?.id as number
  const weak = (await company.root.users.createToken({ user_id: me, name: 'weak', scopes: ['read_api'] })).body
  const reading = await company.run(['install', 'inn/six'], { BELLHOP_SERVICE_TOKEN: weak.token ?? '' })
  expect(reading.out).toMatch(/403.*insufficient_scope.*needs the scope api: make a new one\./)
  expect(err).toMatch(
    /^bellhop: the group empty has no projects .*\nbellhop: no project or group nobody\/nothing .*\n$/,
  )
})

test('continues after a rate limit, ends at an expired token, and reports a service without signing tokens', async () => {
  const { faults } = company.sandbox
  const limited = faults.api({
    endpoint: 'projects.hooks.create',
    times: 1,
    do: { status: 429, headers: { 'Retry-After': '1' } },
  })
  const sent = () => company.called.filter((name) => name === 'projects.hooks.create').length
  const before = sent()
  expect((await company.runJson(['install', 'inn/four', '--all-events'])).json.totals).toEqual({ installed: 1 })
  expect(sent() - before).toBe(2)
  limited()
  const expired = faults.api({ endpoint: 'projects.hooks.create', times: 1, do: { status: 401 } })
  const ended = await company.run(['install', 'inn/six', '--all-events'])
  expired()
  expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('Run the command again to continue.')])
  const older = faults.api({
    endpoint: 'projects.hooks.update',
    do: { rewrite: (body) => ({ ...(body as object), signing_token_present: undefined }) },
  })
  const refused = await company.runJson(['install', 'inn/four', '--all-events', '--signing'])
  older()
  expect([refused.code, refused.json.projects[0].details]).toEqual([
    1,
    [expect.stringContaining('ignored the signing token')],
  ])
})

test.each([
  ['a wrong token', { BELLHOP_SERVICE_TOKEN: 'wrong' }, 1, /401.*_TOKEN right\? It may have expired\./],
  ['no service', { BELLHOP_SERVICE_URL: 'http://127.0.0.1:9' }, 1, /Is BELLHOP_SERVICE_URL right\?/],
  ['no address of Bellhop', { BELLHOP_URL: '' }, 2, /BELLHOP_URL is missing/],
  ['an address that is none', { BELLHOP_URL: 'bellhop' }, 2, /BELLHOP_URL: expected an http/],
  ['no secret', { BELLHOP_HOOK_MASTER_KEY: '' }, 2, /BELLHOP_HOOK_MASTER_KEY is missing/],
])('%s is one line with a remedy', async (_name, other, code, message) => {
  const ran = await company.run(['install', 'wrong/settings'], other)
  expect(ran).toEqual({ code, out: '', err: expect.stringMatching(message) })
  expect(ran.err.trim().split('\n')).toHaveLength(1)
})
