// Removing a group: subgroups, projects and all that hangs on them go with it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

test('it goes with its subgroups, their projects and repositories, and its neighbours stay', async () => {
  const world = await openWorld()
  const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
  const inner = await world.done('POST', '/groups', { name: 'Inner', path: 'inner', parent_id: team.id })
  const other = await world.done('POST', '/groups', { name: 'Teams', path: 'teams' })
  const [app, deep, kept] = [
    await world.project({ namespace_id: team.id }),
    await world.done('POST', '/projects', { name: 'deep', namespace_id: inner.id }),
    await world.done('POST', '/projects', { name: 'kept', namespace_id: other.id }),
  ]
  const answer = await world.call('DELETE', '/groups/team')
  expect([answer.status, answer.body]).toEqual([202, { message: '202 Accepted' }])
  const gone = [
    'groups/team',
    `groups/${inner.id}`,
    'groups/team%2Finner',
    `projects/${app.id}`,
    `projects/${deep.id}`,
    'projects/team%2Fapp',
  ]
  for (const path of gone) expect((await world.call('GET', `/${path}`)).status).toBe(404)
  expect((await world.done('GET', '/groups')).map(({ path }: { path: string }) => path)).toEqual(['teams'])
  await world.sandbox.idle()
  const left = [app, deep, kept].map(({ id }) => existsSync(join(world.folder, 'repositories', `${id}.git`)))
  expect(left).toEqual([false, false, true])
})

test('its paths are free, and nothing of the old group comes back with the new one', async () => {
  const world = await openWorld()
  const ann = await world.user('ann')
  const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
  await world.done('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 50 })
  await world.done('POST', `/groups/${team.id}/ldap_group_links`, { cn: 'all', group_access: 30, provider: 'main' })
  await world.done('DELETE', `/groups/${team.id}`)
  const again = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
  expect(again.id).not.toBe(team.id)
  expect(await world.done('GET', `/groups/${again.id}/members`)).toHaveLength(1)
  expect((await world.call('DELETE', `/groups/${again.id}/ldap_group_links/all`)).status).toBe(404)
  expect(await world.done('GET', '/groups', undefined, ann.token)).toEqual([])
})

test('projects that were shared with it stay, and its members lose them', async () => {
  const world = await openWorld()
  const ann = await world.user('ann')
  const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
  await world.done('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 30 })
  const project = await world.project()
  await world.done('POST', `/projects/${project.id}/share`, { group_id: team.id, group_access: 30 })
  expect((await world.call('GET', `/projects/${project.id}`, undefined, ann.token)).status).toBe(200)
  await world.done('DELETE', `/groups/${team.id}`)
  expect((await world.call('GET', `/projects/${project.id}`, undefined, ann.token)).status).toBe(404)
  expect((await world.done('GET', `/projects/${project.id}`)).shared_with_groups).toEqual([])
})

test('a fork that is made meanwhile is refused or goes too, and nothing is left without a group', async () => {
  const world = await openWorld()
  const source = await world.project()
  const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
  const fork = world.call('POST', `/projects/${source.id}/fork`, { namespace: team.id })
  // Its repository is being made while the group goes.
  const repository = join(world.folder, 'repositories', `${source.id + 1}.git`)
  await expect.poll(() => existsSync(repository), { interval: 1 }).toBe(true)
  const removed = await world.call('DELETE', `/groups/${team.id}`)
  expect([removed.status, (await fork).status < 500]).toEqual([202, true])
  await world.sandbox.idle()
  expect((await world.done('GET', '/projects')).map(({ path }: { path: string }) => path)).toEqual(['app'])
})

test('only owners and administrators remove it', async () => {
  const world = await openWorld()
  const [ann, ben, cas] = [await world.user('ann'), await world.user('ben'), await world.user('cas')]
  const team = await world.done('POST', '/groups', { name: 'Team', path: 'team', visibility: 'public' })
  await world.done('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 40 })
  await world.done('POST', `/groups/${team.id}/members`, { user_id: ben.id, access_level: 50 })
  const remove = async (token: string | null) =>
    (await world.call('DELETE', `/groups/${team.id}`, undefined, token)).status
  expect([
    await remove(null),
    await remove(cas.token),
    await remove(ann.token),
    await remove(ben.token),
    await remove(ben.token),
  ]).toEqual([401, 403, 403, 202, 404])
})
