// Groups: who sees them, who may add to them, and their paths.
import { describe, expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

test('a subgroup carries the names of its parents', async () => {
  const world = await openWorld()
  const team = await world.done('POST', '/groups', { name: 'The Team', path: 'team' })
  const inner = await world.done('POST', '/groups', { name: 'Inner', path: 'inner', parent_id: team.id })
  expect(inner).toMatchObject({ full_path: 'team/inner', full_name: 'The Team / Inner', parent_id: team.id, visibility: 'private' })
  expect((await world.done('GET', '/groups/team%2Finner')).id).toBe(inner.id)
})

test('a path is taken once, also by a user, in any case of letters', async () => {
  const world = await openWorld()
  await world.done('POST', '/groups', { name: 'Team', path: 'team' })
  for (const path of ['TEAM', 'root']) {
    const answer = await world.call('POST', '/groups', { name: 'Other', path })
    expect([answer.status, answer.body]).toEqual([400, { message: { path: ['has already been taken'] } }])
  }
})

test.each(['-x', 'a b', 'a/b', 'x.git', '..', '.', 'a\nb'])('the path %j is refused', async (path) => {
  const world = await openWorld()
  const answer = await world.call('POST', '/groups', { name: 'Group', path })
  expect(answer.status).toBe(400)
  expect(answer.body.message.path[0]).toContain('can contain only letters')
})

describe('rights', () => {
  test('who may not create groups is 403, and so is a member without the level', async () => {
    const world = await openWorld()
    const ann = await world.user('ann', { can_create_group: false })
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    await world.done('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 30 })
    expect((await world.call('POST', '/groups', { name: 'G', path: 'g' }, ann.token)).status).toBe(403)
    expect((await world.call('POST', '/groups', { name: 'G', path: 'g', parent_id: team.id }, ann.token)).status).toBe(403)
    expect((await world.call('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 50 }, ann.token)).status).toBe(403)
  })

  test('a private group is 404 for others, until a project in it lets them in', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    expect((await world.call('GET', '/groups/team', undefined, ann.token)).body).toEqual({ message: '404 Group Not Found' })
    const project = await world.done('POST', '/projects', { name: 'App', namespace_id: team.id })
    await world.done('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 10 })
    expect((await world.call('GET', '/groups/team', undefined, ann.token)).status).toBe(200)
  })

  test('a member is added once, with a level that exists', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    const add = async (body: unknown) => {
      const answer = await world.call('POST', `/groups/${team.id}/members`, body)
      return [answer.status, answer.body.message ?? answer.body.error]
    }
    expect(await add({ user_id: ann.id, access_level: 35 })).toEqual([400, 'access_level does not have a valid value'])
    expect(await add({ user_id: 99, access_level: 30 })).toEqual([404, '404 User Not Found'])
    expect((await add({ user_id: ann.id, access_level: '30' }))[0]).toBe(201)
    expect(await add({ user_id: ann.id, access_level: 30 })).toEqual([409, 'Member already exists'])
    const members = await world.done('GET', `/groups/${team.id}/members`)
    expect(members.map((member: { username: string; access_level: number }) => [member.username, member.access_level])).toEqual([
      ['root', 50],
      ['ann', 30],
    ])
  })
})

test('lists are searched and sorted', async () => {
  const world = await openWorld()
  for (const name of ['beta', 'alpha', 'gamma']) await world.done('POST', '/groups', { name, path: `${name}-path` })
  const names = async (query: string) => (await world.done('GET', `/groups?${query}`)).map((group: { name: string }) => group.name)
  expect(await names('')).toEqual(['alpha', 'beta', 'gamma'])
  expect(await names('sort=desc&order_by=path')).toEqual(['gamma', 'beta', 'alpha'])
  expect(await names('search=ALPH')).toEqual(['alpha'])
})
