// The state of hooks for the dashboard, read once in five minutes.
import { createHookHealth } from '../../../src/cli/hooks/own-hooks.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { rulesOfVersion } from '../../bot/stores.ts'
import { BASE, KEY, useCompany } from './hooks-world.ts'

const company = useCompany()

function hookHealth(now: () => number) {
  const client = createClient({ baseUrl: company.sandbox.url, token: company.tokens.bellhop ?? '' })
  const place = { base: BASE, masterKeys: [KEY], tokens: [], signing: [], signs: false, verifiesTls: true }
  const some = rulesOfVersion('')
  const ruleFiles = { ...some, inForce: async (id: number) => ({ ...(await some.inForce(id)), files: [] }) }
  const health = createHookHealth({ client, place, ruleFiles, includeFrom: [], now })
  return async (path: string) => health({ id: await company.projectId(path), path })
}

test('missing, wrong and disabled hooks are bad, each with details; results are cached for five minutes', async () => {
  expect((await company.run(['install', 'inn/one', 'inn/two', 'inn/three'])).code).toBe(0)
  const clock = { now: Date.parse('2026-11-21T10:00:00Z') }
  const of = hookHealth(() => clock.now)
  const [hook] = await company.hooksOf('inn/two')
  const changed = { id: 'inn/two', hook_id: hook?.id ?? 0, url: `${BASE}/hooks/1`, note_events: false }
  await company.root.projects.hooks.update(changed)
  // Nobody listens there: the service gives up.
  for (const file of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await company.push('inn/three', file)

  const checkedAt = '2026-11-21T10:00:00.000Z'
  expect(await of('inn/one')).toEqual({
    ...{ result: 'up_to_date', details: [], bad: false, checkedAt },
    events: ['push_events', 'merge_requests_events', 'note_events'],
  })
  const wrong = ['its address is http://127.0.0.1:1/hooks/1', 'note_events is off']
  expect(await of('inn/two')).toMatchObject({ result: 'wrong', bad: true, details: wrong })
  const nothing = expect.stringContaining('the service sends nothing until')
  const told = [nothing, expect.stringContaining('no response')]
  expect(await of('inn/three')).toMatchObject({ result: 'disabled', bad: true, details: told })
  expect(await of('inn/four')).toMatchObject({ result: 'missing', bad: true })

  expect((await company.run(['install', 'inn/four'])).code).toBe(0)
  expect(await of('inn/four')).toMatchObject({ result: 'missing' })
  clock.now += 5 * 60_000 + 1
  expect(await of('inn/four')).toMatchObject({ result: 'up_to_date', checkedAt: '2026-11-21T10:05:00.001Z' })
})

test('a hook with a signing token is up to date, and an unreadable project is failed', async () => {
  expect((await company.run(['install', 'hotel/plain', '--signing'])).code).toBe(0)
  const of = hookHealth(Date.now)
  expect((await of('hotel/plain')).result).toBe('up_to_date')
  const details = [expect.stringContaining('Hooks are for Maintainers')]
  expect(await of('shut/door')).toMatchObject({ result: 'failed', bad: true, details })
})
