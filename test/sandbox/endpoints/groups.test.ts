// Creating groups: paths, rights, custom attributes; one group with its projects.

import { type Caller, eachCase, type Json, test } from '../sandbox-world.ts'
import { pixel, sendForm } from '../send-form.ts'

test('a subgroup carries the names of its parents', async ({ world }) => {
  const team = await world.post('/groups', { name: 'The Team', path: 'team' })
  const inner = await world.group('Inner', { parent_id: team.id })
  expect(inner).toMatchObject({
    full_path: 'team/inner',
    full_name: 'The Team / Inner',
    parent_id: team.id,
    visibility: 'private',
  })
  expect((await world.get('/groups/team%2Finner')).id).toBe(inner.id)
})

test('settings are kept, and without them it is private', async ({ world }) => {
  const settings = { description: 'About', visibility: 'internal', lfs_enabled: false, request_access_enabled: false }
  expect(await world.group('One', { ...settings })).toMatchObject({
    ...settings,
    parent_id: null,
    full_path: 'one',
    full_name: 'One',
    avatar_url: null,
    web_url: `${world.url}/groups/one`,
  })
  expect(await world.group('Two')).toMatchObject({
    description: '',
    visibility: 'private',
  })
})

test('who makes it owns it', async ({ world }) => {
  const ann = await world.user('ann')
  const group = await ann.post('/groups', { name: 'Own', path: 'own' })
  expect(await ann.get(`/groups/${group.id}/members`)).toMatchObject([{ id: ann.id, access_level: 50 }])
})

test('a subgroup needs the right to create groups, and Maintainer of the parent', async ({ world }) => {
  const [ann, ben] = [await world.user('ann'), await world.user('ben', { can_create_group: false })]
  const team = await world.group('Team')
  await world.join(ann, 30, `groups/${team.id}`)
  await world.join(ben, 50, `groups/${team.id}`)
  const make = (by: Caller) => by.status('POST', '/groups', { name: 'In', path: 'in', parent_id: team.id })
  expect([await make(ann), await make(ben)]).toEqual([403, 403])
  await world.put(`/groups/${team.id}/members/${ann.id}`, { access_level: 40 })
  expect(await make(ann)).toBe(201)
})

test('invalid parameters are refused', async ({ world }) => {
  await eachCase(
    [
      [{ name: '', path: 'p' }, 400, { error: 'name is empty' }],
      [{ name: 'N', path: 'p', visibility: 'secret' }, 400, { error: 'visibility does not have a valid value' }],
      [{ name: 'N', path: 'p', parent_id: 99 }, 404, { message: '404 Group Not Found' }],
    ],
    async ([body, status, wanted]) => expect(await world.answer('POST', '/groups', body)).toEqual([status, wanted]),
  )
})

describe('one group', () => {
  test('comes with its own projects and those that are shared with it, the newest first', async ({ world }) => {
    const team = await world.group('Team')
    const inner = await world.group('Inner', { parent_id: team.id })
    const make = async (name: string, namespace_id?: number) =>
      (await world.post('/projects', { name, namespace_id })).id
    const [one, two, shared] = [await make('one', team.id), await make('two', team.id), await make('shared')]
    await make('below', inner.id)
    await world.post(`/projects/${shared}/share`, { group_id: team.id, group_access: 30 })
    const ended = await make('ended')
    const today = new Date().toISOString().slice(0, 10)
    await world.post(`/projects/${ended}/share`, { group_id: team.id, group_access: 30, expires_at: today })
    const found = await world.get('/groups/team')
    const ids = (projects: Json[]) => projects.map(({ id }) => id)
    expect([ids(found.projects), ids(found.shared_projects)]).toEqual([[two, one], [shared]])
    expect(found.projects[0]).not.toHaveProperty('public')
    await world.delete(`/projects/${shared}/share/${team.id}`)
    expect((await world.get('/groups/team')).shared_projects).toEqual([])
  })

  test('shows only projects that the caller may see', async ({ world }) => {
    const ann = await world.user('ann')
    const team = await world.group('Team', { visibility: 'public' })
    for (const visibility of ['private', 'internal', 'public']) {
      await world.post('/projects', { name: visibility, namespace_id: team.id, visibility })
    }
    const seen = async (by: Caller) => (await by.get(`/groups/${team.id}`)).projects.map(({ name }: Json) => name)
    expect([await seen(world.nobody), await seen(ann), await seen(world)]).toEqual([
      ['public'],
      ['public', 'internal'],
      ['public', 'internal', 'private'],
    ])
  })
})

test('a group has an avatar, for those who see it, until it is removed', async ({ world }) => {
  const form = { name: 'Team', path: 'team', avatar: new File([pixel], 'my logo.png') }
  const made = await sendForm(world, 'POST', '/groups', form)
  const status = async (token?: string) => {
    const headers = token === undefined ? undefined : { 'PRIVATE-TOKEN': token }
    return (await fetch(made.body.avatar_url, headers && { headers })).status
  }
  expect([await status(), await status('root-token')]).toEqual([404, 200])
  const edited = await sendForm(world, 'PUT', '/groups/team', { avatar: new File(['GIF89a'], 'b.gif') })
  expect(edited.body.avatar_url).toMatch(/\/b\.gif$/)
  expect(await world.put('/groups/team', { avatar: '' })).toMatchObject({ avatar_url: null })
  expect((await sendForm(world, 'PUT', '/groups/team', { avatar: new File(['x'], 'x.svg') })).status).toBe(400)
})
