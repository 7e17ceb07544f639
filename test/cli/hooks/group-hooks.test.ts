// `bellhop hooks` for the hook of a group and of the installation: installed, checked, rotated and removed.
import { refuses } from '../run-here.ts'
import { KEY, useCompany } from './hooks-world.ts'

const company = useCompany()
const shared = { BELLHOP_HOOK_SECRET: 'a-shared-secret-of-this-company' }

const asRoot = { ...shared, BELLHOP_SERVICE_TOKEN: 'root-token' }
const base = () => company.environment.BELLHOP_URL

test('a group has one hook with the shared secret and all events, which is corrected, checked and removed', async () => {
  const { root } = company
  const hooksOf = async () => (await root.groups.hooks.list({ id: 'hotel' })).body
  const dry = await company.runJson(['install', '--group', 'hotel', '--dry-run'], asRoot)
  expect([dry.code, await hooksOf()]).toEqual([0, []])

  const { json, code } = await company.runJson(['install', '--group', 'hotel'], asRoot)
  const { id } = (await root.groups.get({ id: 'hotel' })).body
  expect([code, json.projects]).toEqual([
    0,
    [expect.objectContaining({ group: id, path: 'hotel', result: 'installed', ok: true })],
  ])
  expect(await hooksOf()).toMatchObject([
    {
      ...{ url: `${base()}/hooks`, token_present: true, job_events: false, push_events: true, note_events: true },
      ...{ pipeline_events: true, confidential_note_events: true, confidential_issues_events: true },
    },
  ])
  expect((await company.runJson(['install', '--group', 'hotel'], asRoot)).json.totals).toEqual({ up_to_date: 1 })

  const [hook] = await hooksOf()
  await root.groups.hooks.update({ id: 'hotel', hook_id: Number(hook?.id), url: `${base()}/hooks`, note_events: false })
  const status = await company.runJson(['status', '--group', 'hotel'], asRoot)
  expect([status.code, status.json.projects[0].result]).toEqual([1, 'wrong'])
  expect((await company.runJson(['install', '--group', 'hotel'], asRoot)).json.totals).toEqual({ repaired: 1 })
  expect((await company.runJson(['status', '--group', 'hotel'], asRoot)).code).toBe(0)

  const rotated = { ...asRoot, BELLHOP_HOOK_SECRET: `a-newer-shared-secret,${shared.BELLHOP_HOOK_SECRET}` }
  const rotation = await company.runJson(['rotate', '--group', 'hotel', '--unchecked'], rotated)
  expect(rotation.json.totals).toEqual({ rotated: 1 })
  expect((await company.runJson(['remove', '--group', 'hotel'], asRoot)).json.totals).toEqual({ removed: 1 })
  expect(await hooksOf()).toEqual([])
})

test('a project without a hook is served by the hook of a group above it, where the token may see that', async () => {
  const stateOf = async (environment: Record<string, string>) => {
    const { json } = await company.runJson(['status', 'hotel/kitchen/cold/ice'], environment)
    const [{ result, ok, details }] = json.projects
    return [result, ok, details.join()]
  }
  const install = 'run bellhop hooks install'
  expect(await stateOf(asRoot)).toEqual(['missing', false, install])
  await company.run(['install', '--group', 'hotel'], asRoot)
  expect(await stateOf(asRoot)).toEqual(['up_to_date', true, 'served by the hook of hotel'])
  expect(await stateOf(shared)).toEqual(['missing', false, expect.stringMatching(/^run .*, unless .*may not see/)])
  expect(await stateOf({ BELLHOP_SERVICE_TOKEN: 'root-token' })).toEqual(['missing', false, install])
  await company.run(['remove', '--group', 'hotel'], asRoot)
})

test('the installation has one hook, with the events that such hooks have', async () => {
  const { root } = company
  const out = expect.stringMatching(/the installation │ installed │ push, tag push, merge requests/)
  expect(await company.run(['install', '--system'], asRoot)).toMatchObject({ code: 0, out })
  expect((await root.systemHooks.list({})).body).toMatchObject([
    { url: `${base()}/hooks`, token_present: true, push_events: true, merge_requests_events: true },
  ])
  expect((await company.runJson(['status', '--system'], asRoot)).json.totals).toEqual({ up_to_date: 1 })
  expect((await company.runJson(['install', '--system', 'inn/one'], asRoot)).json.totals).toEqual({
    up_to_date: 1,
    installed: 1,
  })
  expect((await company.runJson(['remove', '--system'], asRoot)).code).toBe(0)
  expect((await root.systemHooks.list({})).body).toEqual([])
})

test.each([
  ['a group', ['--group', 'inn'], /403.*Premium tier.*owner of the group/],
  ['the installation', ['--system'], /403.*administrator/],
  ['a group that is none', ['--group', 'nowhere'], /no group nowhere is visible/],
])('what a token may not do for %s is reported', async (_name, args, reason) => {
  const { code, out, err } = await company.run(['install', ...args], shared)
  expect([code, `${out}${err}`.replaceAll('\n', ' ')]).toEqual([1, expect.stringMatching(reason)])
})

test.each([
  ['without a shared secret', ['--group', 'hotel'], { BELLHOP_HOOK_MASTER_KEY: KEY }, /BELLHOP_HOOK_SECRET is missing/],
  ['with nothing named', [], shared, /Nothing is named/],
])('%s it is wrong usage', async (_name, args, environment, message) => {
  expect(await company.run(['install', ...args], environment)).toEqual(refuses(2, message))
})
