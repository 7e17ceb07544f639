// Web hooks of a project: flags, token, and who may see them.
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const url = 'http://127.0.0.1:1/hook'

test('a new hook wants pushes and nothing else, and its token is never shown', async () => {
  const world = await openWorld()
  await world.project()
  const hook = await world.done('POST', '/projects/1/hooks', { url, token: 'secret', wiki_events: true })
  const flags = Object.entries(hook).filter(([name, value]) => name.endsWith('_events') && value === true)
  expect(flags.map(([name]) => name)).toEqual(['push_events', 'wiki_page_events'])
  expect(
    JSON.stringify([hook, await world.done('GET', '/projects/1/hooks'), await world.done('GET', `/projects/1/hooks/${hook.id}`)]),
  ).not.toContain('secret')
})

test('an update without a token keeps the old one, an empty one removes it', async () => {
  const world = await openWorld()
  await world.project()
  const hooks = await world.receiver({ push_events: true, token: 'secret' })
  const target = (await world.done('GET', `/projects/1/hooks/${hooks.id}`)).url
  await world.done('PUT', `/projects/1/hooks/${hooks.id}`, { url: target, note_events: true })
  await world.write('master', 'a.txt', 'a')
  await world.sandbox.idle()
  await world.done('PUT', `/projects/1/hooks/${hooks.id}`, { url: target, token: '' })
  await world.write('master', 'b.txt', 'b')
  await world.sandbox.idle()
  expect(hooks.received.map(({ headers }) => headers['x-gitlab-token'])).toEqual(['secret', undefined])
  expect(await world.done('GET', `/projects/1/hooks/${hooks.id}`)).toMatchObject({ push_events: true, note_events: true })
})

test('deleting gives the hook once, and then nothing', async () => {
  const world = await openWorld()
  await world.project()
  const hook = await world.done('POST', '/projects/1/hooks', { url })
  expect((await world.call('DELETE', `/projects/1/hooks/${hook.id}`)).body).toEqual(hook)
  const again = await world.call('DELETE', `/projects/1/hooks/${hook.id}`)
  expect([again.status, again.body]).toEqual([204, null])
  expect((await world.call('GET', `/projects/1/hooks/${hook.id}`)).status).toBe(404)
})

test.each(['ftp://example.com/', 'file:///etc/passwd', 'nothing', 'javascript:alert(1)'])('the address %s is refused', async (bad) => {
  const world = await openWorld()
  await world.project()
  const answer = await world.call('POST', '/projects/1/hooks', { url: bad })
  expect([answer.status, Object.keys(answer.body.message)]).toEqual([400, ['url']])
})

test('only maintainers see and change hooks, and none of another project', async () => {
  const world = await openWorld()
  const ann = await world.user('ann')
  await world.project()
  await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 30 })
  const hook = await world.done('POST', '/projects/1/hooks', { url })
  expect((await world.call('GET', '/projects/1/hooks', undefined, ann.token)).status).toBe(403)
  expect((await world.call('POST', '/projects/1/hooks', { url }, ann.token)).status).toBe(403)
  await world.done('POST', '/projects', { name: 'second' })
  expect((await world.call('GET', `/projects/2/hooks/${hook.id}`)).status).toBe(404)
  expect((await world.call('DELETE', `/projects/2/hooks/${hook.id}`)).status).toBe(204)
  expect((await world.call('GET', `/projects/1/hooks/${hook.id}`)).status).toBe(200)
})
