// Removing a group.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '../sandbox-world.ts'

test('a group is removed with its subgroups, projects and repositories', async ({ world }) => {
  const team = await world.group('Team')
  const inner = await world.group('Inner', { parent_id: team.id })
  const other = await world.group('Teams')
  const [app, deep, kept] = [
    await world.project({ namespace_id: team.id }),
    await world.post('/projects', { name: 'deep', namespace_id: inner.id }),
    await world.post('/projects', { name: 'kept', namespace_id: other.id }),
  ]
  expect(await world.answer('DELETE', '/groups/team')).toEqual([202, { message: '202 Accepted' }])
  const gone = [
    'groups/team',
    `groups/${inner.id}`,
    'groups/team%2Finner',
    `projects/${app.id}`,
    `projects/${deep.id}`,
    'projects/team%2Fapp',
  ]
  for (const path of gone) expect(await world.status('GET', `/${path}`)).toBe(404)
  expect(await world.list('path', '/groups')).toEqual(['teams'])
  await world.idle()
  const left = [app, deep, kept].map(({ id }) => existsSync(join(world.folder, 'repositories', `${id}.git`)))
  expect(left).toEqual([false, false, true])
})

test('the path can be used again, without members and links of the old group', async ({ world }) => {
  const team = await world.group('Team')
  const ann = await world.member('ann', 50, `groups/${team.id}`)
  await world.post(`/groups/${team.id}/ldap_group_links`, { cn: 'all', group_access: 30, provider: 'main' })
  await world.delete(`/groups/${team.id}`)
  const again = await world.group('Team')
  expect(again.id).not.toBe(team.id)
  expect(await world.get(`/groups/${again.id}/members`)).toHaveLength(1)
  expect(await world.status('DELETE', `/groups/${again.id}/ldap_group_links/all`)).toBe(404)
  expect(await ann.get('/groups')).toEqual([])
})

test('projects that were shared with it stay, and its members lose them', async ({ world }) => {
  const team = await world.group('Team')
  const ann = await world.member('ann', 30, `groups/${team.id}`)
  const project = await world.project()
  await world.post(`/projects/${project.id}/share`, { group_id: team.id, group_access: 30 })
  expect(await ann.status('GET', `/projects/${project.id}`)).toBe(200)
  await world.delete(`/groups/${team.id}`)
  expect(await ann.status('GET', `/projects/${project.id}`)).toBe(404)
  expect((await world.get(`/projects/${project.id}`)).shared_with_groups).toEqual([])
})

test('a concurrent fork into the group is refused or removed with it', async ({ world }) => {
  const source = await world.project()
  const team = await world.group('Team')
  const fork = world.call('POST', `/projects/${source.id}/fork`, { namespace: team.id })
  // Its repository is being made while the group goes.
  const repository = join(world.folder, 'repositories', `${source.id + 1}.git`)
  await expect.poll(() => existsSync(repository), { interval: 1 }).toBe(true)
  const removed = await world.call('DELETE', `/groups/${team.id}`)
  expect([removed.status, (await fork).status < 500]).toEqual([202, true])
  await world.idle()
  expect(await world.list('path', '/projects')).toEqual(['app'])
})

test('only owners and administrators remove it', async ({ world }) => {
  const [ann, ben, cas] = await world.people('ann', 'ben', 'cas')
  const team = await world.group('Team', { visibility: 'public' })
  await world.join(ann, 40, `groups/${team.id}`)
  await world.join(ben, 50, `groups/${team.id}`)
  const remove = async (token: string | null) => await world.status('DELETE', `/groups/${team.id}`, undefined, token)
  expect([
    await remove(null),
    await remove(cas.token),
    await remove(ann.token),
    await remove(ben.token),
    await remove(ben.token),
  ]).toEqual([401, 403, 403, 202, 404])
})
