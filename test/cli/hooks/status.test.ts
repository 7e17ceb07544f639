// `bellhop hooks status`, `rotate` and `remove`, with a server that checks secrets as Bellhop does.
import { rmSync } from 'node:fs'
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { hasOpenssl, makeAuthority } from '../../servers/own-authority.ts'
import { refuses } from '../run-here.ts'
import { KEY, OLD_KEY, openReceiver, useCompany } from './hooks-world.ts'

const company = useCompany()
let receiver: Awaited<ReturnType<typeof openReceiver>>
beforeAll(async () => {
  receiver = await openReceiver([OLD_KEY])
  return () => receiver.close()
})

const settings = (keys: string) => ({ BELLHOP_URL: receiver.url, BELLHOP_HOOK_MASTER_KEY: keys })
const detailsOf = ({ json }: { json: { projects: { path: string; result: string; details: string[] }[] } }) =>
  Object.fromEntries(json.projects.map(({ path, result, details }) => [path, [result, ...details].join(': ')]))

test('a secret is rotated without a refused delivery, and status shows each step', async () => {
  const names = ['inn/one', 'inn/two']
  expect((await company.run(['install', 'inn/one', '--all-events'], settings(OLD_KEY))).code).toBe(0)
  expect(detailsOf(await company.runJson(['status', ...names, '--all-events'], settings(OLD_KEY)))).toEqual({
    'inn/one': 'up_to_date',
    'inn/two': 'missing: run bellhop hooks install',
  })
  await company.push('inn/one', 'a.txt')
  const told = await company.runJson(['status', 'inn/one', '--all-events'], settings(OLD_KEY))
  expect([told.code, detailsOf(told)]).toEqual([0, { 'inn/one': 'up_to_date: last push: 202' }])

  const both = settings(`${KEY},${OLD_KEY}`)
  expect(await company.run(['rotate', 'inn/one'], settings(KEY))).toEqual(refuses(2, /only one secret/))
  const early = await company.run(['rotate', 'inn/one'], both)
  expect(early).toEqual(refuses(1, /refuses the new secret \(401\)/))
  receiver.keys.unshift(KEY)
  const out = expect.stringMatching(/1 rotated, 1 missing\nKeep the old secret: 1 /)
  expect(await company.run(['rotate', ...names], both)).toMatchObject({ code: 1, out })
  const whole = await company.run(['rotate', 'inn/one'], both)
  expect(whole).toMatchObject({ code: 0, out: expect.stringMatching(/remove the old one\.\n$/) })
  const id = await company.projectId('inn/one')
  const [hook] = await company.sandbox.within(async (world) => world.hooks.where('project', id))
  expect(hook?.token).toBe(projectSecrets([KEY], id).tokens[0])

  receiver.keys.splice(0, 2, 'some-other-master-key-than-those-before')
  await company.push('inn/one', 'b.txt')
  const refused = await company.runJson(['status', 'inn/one', '--all-events'], settings(KEY))
  expect([refused.code, detailsOf(refused)['inn/one']]).toEqual([
    1,
    expect.stringMatching(/^deliveries_fail: last push: 401 \(wrong secret/),
  ])
  const remedy = await company.run(['install', 'inn/one', '--all-events', '--dry-run'], settings(KEY))
  expect(remedy.out).toMatch(/inn\/one *│ to be repaired *│ its secret is wrong/)
  for (const file of ['c.txt', 'd.txt', 'e.txt']) await company.push('inn/one', file)
  const disabled = await company.runJson(['status', 'inn/one'], settings(KEY))
  expect(detailsOf(disabled)['inn/one']).toMatch(
    /^disabled: the service sends nothing until 20.*: issues_events is on: /,
  )

  const dry = await company.run(['remove', ...names, '--dry-run'], settings(KEY))
  expect([dry.code, (await company.hooksOf('inn/one')).length]).toEqual([0, 1])
  const removed = await company.run(['remove', ...names], settings(KEY))
  expect([removed.code, removed.out.split('\n').at(-2)]).toEqual([0, '2 projects: 1 removed, 1 no hook'])
  expect(await company.hooksOf('inn/one')).toEqual([])
})

test.skipIf(!hasOpenssl)('rotate trusts a private authority that is named for Bellhop’s own address', async () => {
  const own = makeAuthority()
  const secure = await openReceiver([KEY, OLD_KEY], own)
  try {
    const given = { ...settings(`${KEY},${OLD_KEY}`), BELLHOP_URL: secure.url }
    expect((await company.run(['install', 'inn/three'], { ...given, BELLHOP_HOOK_MASTER_KEY: OLD_KEY })).code).toBe(0)
    expect(await company.run(['rotate', 'inn/three'], given)).toEqual(refuses(1, /does not answer, so it is unknown/))
    expect((await company.run(['rotate', 'inn/three'], { ...given, BELLHOP_CA_FILE: own.caFile })).out).toMatch(
      /1 rotated/,
    )
  } finally {
    await secure.close()
    rmSync(own.folder, { recursive: true })
  }
})
