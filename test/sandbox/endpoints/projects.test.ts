// Projects: names and paths, visibility, members.
import { describe, expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

describe('name and path', () => {
  test.each([
    [{ name: 'My New App!' }, { name: 'My New App!', path: 'my-new-app' }],
    [{ path: 'some_path' }, { name: 'some_path', path: 'some_path' }],
    [
      { name: 'Name', path: 'other' },
      { name: 'Name', path: 'other' },
    ],
  ])('%o becomes %o', async (given, wanted) => {
    const world = await openWorld()
    const project = await world.done('POST', '/projects', given)
    expect(project).toMatchObject({
      ...wanted,
      path_with_namespace: `root/${wanted.path}`,
      namespace: { kind: 'user', path: 'root' },
    })
    expect(project.http_url_to_repo).toBe(`${world.sandbox.url}/root/${wanted.path}.git`)
  })

  test('a name that leaves no path, or a default branch that is none, is refused', async () => {
    const world = await openWorld()
    expect((await world.call('POST', '/projects', { name: '???' })).body.message).toHaveProperty('path')
    expect((await world.call('POST', '/projects', { name: 'a', default_branch: '--x' })).body.message).toHaveProperty(
      'default_branch',
    )
  })
})

describe('who sees a project', () => {
  test.each([
    ['private', 404, 404],
    ['internal', 404, 200],
    ['public', 200, 200],
  ])('one that is %s answers %i to nobody and %i to any user', async (visibility, nobody, anyone) => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.done('POST', '/projects', { name: 'app', visibility })
    expect((await world.call('GET', '/projects/1', undefined, null)).status).toBe(nobody)
    expect((await world.call('GET', '/projects/1', undefined, ann.token)).status).toBe(anyone)
    expect((await world.done('GET', '/projects', undefined, ann.token)).length).toBe(anyone === 200 ? 1 : 0)
  })

  test('a guest of a private project sees it, but neither code nor merge requests', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.mergeRequest()
    await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 10 })
    expect((await world.call('GET', '/projects/1', undefined, ann.token)).status).toBe(200)
    for (const path of ['/projects/1/merge_requests/1', '/projects/1/repository/branches']) {
      expect((await world.call('GET', path, undefined, ann.token)).body).toEqual({ message: '403 Forbidden' })
    }
  })
})

describe('members', () => {
  test('inherited ones are found one by one, with their highest level', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    const project = await world.done('POST', '/projects', { name: 'app', namespace_id: team.id })
    await world.done('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 20 })
    await world.done('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 40 })
    expect((await world.done('GET', `/projects/${project.id}/members/all/${ann.id}`)).access_level).toBe(40)
    expect((await world.done('GET', `/projects/${project.id}/members/all/1`)).access_level).toBe(50)
    expect((await world.call('GET', `/projects/${project.id}/members/all/99`)).status).toBe(404)
    expect(await world.done('GET', `/projects/${project.id}/members`)).toHaveLength(1)
  })

  test('a maintainer adds members up to the own level, a developer none', async () => {
    const world = await openWorld()
    const [ann, ben, cas] = [await world.user('ann'), await world.user('ben'), await world.user('cas')]
    await world.done('POST', '/projects', { name: 'app' })
    await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 40 })
    const add = async (level: number, user: number, token: string) =>
      (await world.call('POST', '/projects/1/members', { user_id: user, access_level: level }, token)).status
    expect(await add(50, ben.id, ann.token)).toBe(403)
    expect(await add(30, ben.id, ann.token)).toBe(201)
    expect(await add(10, cas.id, ben.token)).toBe(403)
  })

  test('a developer of a group makes projects in it, a reporter not, and nobody in the namespace of another', async () => {
    const world = await openWorld()
    const [ann, ben] = [await world.user('ann'), await world.user('ben')]
    const team = await world.done('POST', '/groups', { name: 'Team', path: 'team' })
    await world.done('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 30 })
    await world.done('POST', `/groups/${team.id}/members`, { user_id: ben.id, access_level: 20 })
    const make = async (name: string, namespace_id: number, token: string) =>
      (await world.call('POST', '/projects', { name, namespace_id }, token)).status
    expect([
      await make('a', team.id, ann.token),
      await make('b', team.id, ben.token),
      await make('c', 1, ann.token),
    ]).toEqual([201, 400, 400])
  })
})
