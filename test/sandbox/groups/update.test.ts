// Changing a group: settings, new names and paths, visibility, rights.
import { eachCase, type Json, openWorld } from '../sandbox-world.ts'

/** `team` holds `inner` holds `deep`, and each holds a project `app-of-…`. */
async function openTeam(visibility = 'private') {
  const world = await openWorld()
  const make = async (name: string, parent?: Json) => {
    const group = await world.post('/groups', {
      name,
      path: name.toLowerCase(),
      visibility,
      parent_id: parent?.id,
    })
    const project = await world.post('/projects', {
      name: `App of ${name}`,
      namespace_id: group.id,
      visibility,
    })
    return { ...group, project }
  }
  const team = await make('Team')
  const inner = await make('Inner', team)
  const deep = await make('Deep', inner)
  return { world, team, inner, deep }
}

test('settings change, missing ones stay, and an empty update is refused', async () => {
  const { world, team } = await openTeam()
  const settings = { name: 'New', description: 'About', lfs_enabled: false, request_access_enabled: false }
  expect(await world.put('/groups/team', settings)).toMatchObject({
    ...settings,
    path: 'team',
    visibility: 'private',
  })
  expect(await world.put(`/groups/${team.id}`, { description: '' })).toMatchObject({
    ...settings,
    description: '',
  })
  expect(await world.status('PUT', `/groups/${team.id}`, {})).toBe(400)
  expect(await world.get(`/groups/${team.id}`)).toMatchObject({ ...settings, description: '' })
})

test('the answer has the group’s own projects, each saying whether it is public, and neither shares nor minutes', async () => {
  const { world, team } = await openTeam('public')
  const second = await world.post('/projects', { name: 'Second', namespace_id: team.id })
  const shared = await world.project()
  await world.post(`/projects/${shared.id}/share`, { group_id: team.id, group_access: 30 })
  const updated = await world.put('/groups/team', { name: 'Other' })
  expect(updated.projects.map(({ id, public: open, visibility }: Json) => [id, open, visibility])).toEqual([
    [second.id, false, 'private'],
    [team.project.id, true, 'public'],
  ])
  expect(Object.keys(updated)).not.toContain('shared_projects')
  expect(Object.keys(updated)).not.toContain('shared_runners_minutes_limit')
})

describe('a new name or path', () => {
  test('moves everything in the group to the new path', async () => {
    const { world, team, inner, deep } = await openTeam()
    const clone = await world.cloneOverHttp('team/inner/app-of-inner')
    await world.put(`/groups/${team.id}`, { path: 'crew', name: 'The Crew' })
    const paths = ['crew', 'crew/inner', 'crew/inner/deep'].map((path) => encodeURIComponent(path))
    const groups = await Promise.all(paths.map((path) => world.get(`/groups/${path}`)))
    expect(groups.map(({ id, full_name }: Json) => [id, full_name])).toEqual([
      [team.id, 'The Crew'],
      [inner.id, 'The Crew / Inner'],
      [deep.id, 'The Crew / Inner / Deep'],
    ])
    expect(groups[2].projects).toMatchObject([
      {
        path_with_namespace: 'crew/inner/deep/app-of-deep',
        name_with_namespace: 'The Crew / Inner / Deep / App of Deep',
      },
    ])
    for (const path of ['groups/team', 'groups/team%2Finner', 'projects/team%2Finner%2Fdeep%2Fapp-of-deep'])
      expect(await world.status('GET', `/${path}`)).toBe(404)
    expect((await world.get('/projects/crew%2Finner%2Fdeep%2Fapp-of-deep')).id).toBe(deep.project.id)
    expect((await world.git(clone, 'fetch')).code).not.toBe(0)
    await world.cloneOverHttp('crew/inner/app-of-inner')
    expect((await world.group('Team')).full_path).toBe('team')
  })

  test('may differ in the case of letters alone', async () => {
    const { world, team } = await openTeam()
    expect((await world.put(`/groups/${team.id}`, { path: 'TEAM' })).full_path).toBe('TEAM')
    expect((await world.get('/groups/team')).id).toBe(team.id)
  })

  test('a taken or invalid path is refused, and nothing changes', async () => {
    const { world } = await openTeam()
    await world.group('Other')
    await eachCase(
      [
        ['other', 'has already been taken'],
        ['api', 'api is a reserved name'],
      ],
      async ([path, reason]) => {
        expect(await world.answer('PUT', '/groups/team', { path, name: 'Changed' })).toEqual([
          400,
          { message: { path: [reason] } },
        ])
        expect((await world.get('/groups/team')).name).toBe('Team')
      },
    )
  })

  test('of a subgroup is refused where a project has it', async () => {
    const { world, inner } = await openTeam()
    expect(await world.answer('PUT', `/groups/${inner.id}`, { path: 'app-of-team' })).toEqual([
      400,
      { message: { path: ['has already been taken'] } },
    ])
  })
})

test('owners and administrators update, and only administrators set the quota of minutes', async () => {
  const { world, team } = await openTeam()
  const ann = await world.member('ann', 50, `groups/${team.id}`)
  const ben = await world.member('ben', 40, `groups/${team.id}`)
  expect(await ann.status('PUT', '/groups/team', { name: 'A' })).toBe(200)
  expect(await ben.status('PUT', '/groups/team', { name: 'B' })).toBe(403)
  expect(await world.nobody.status('PUT', '/groups/team', { name: 'C' })).toBe(401)
  expect(await ann.status('PUT', '/groups/team', { name: 'D', shared_runners_minutes_limit: 5 })).toBe(403)
  expect(await world.get('/groups/team')).toMatchObject({ name: 'A', shared_runners_minutes_limit: 0 })
  expect(await world.status('PUT', '/groups/team', { shared_runners_minutes_limit: 5 })).toBe(200)
  expect((await ben.get('/groups/team')).shared_runners_minutes_limit).toBe(5)
  expect(await world.status('PUT', '/groups/team', { shared_runners_minutes_limit: -1 })).toBe(400)
})
