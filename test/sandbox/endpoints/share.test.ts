// Sharing a project with a group.
import { type Caller, eachCase, openWorld } from '../sandbox-world.ts'

/** A private project of root, a group with ann as developer. */
async function shareable() {
  const world = await openWorld()
  const team = await world.group('Team')
  const ann = await world.member('ann', 30, `groups/${team.id}`)
  await world.project()
  const share = (given: object, by: Caller = world) =>
    by.call('POST', '/projects/1/share', { group_id: team.id, group_access: 30, ...given })
  return { world, ann, team, share }
}

/** A date so many days from now. */
function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
}

describe('a share', () => {
  test('gives the members of a group their own level, at most that of the share', async () => {
    const { world, ann, team, share } = await shareable()
    expect(await ann.status('GET', '/projects/1')).toBe(404)
    const { status, body } = await share({ group_access: 20 })
    expect([status, body]).toEqual([
      201,
      { id: 1, project_id: 1, group_id: team.id, group_access: 20, expires_at: null },
    ])
    const project = await ann.get('/projects/1')
    expect(project.permissions).toEqual({
      project_access: null,
      group_access: { access_level: 20, notification_level: 3 },
    })
    expect(project.shared_with_groups).toEqual([{ group_id: team.id, group_name: 'Team', group_access_level: 20 }])
    expect((await world.get('/projects/1/users?search=ann')).length).toBe(1)
    await world.delete(`/projects/1/share/${team.id}`)
    expect((await share({ group_access: 50 })).status).toBe(201)
    expect((await ann.get('/projects/1')).permissions.group_access.access_level).toBe(30)
  })

  test('ends with an unshare (204); what is not shared is not found', async () => {
    const { world, ann, team, share } = await shareable()
    await share({})
    expect(await world.answer('DELETE', `/projects/1/share/${team.id}`)).toEqual([204, null])
    expect(await ann.status('GET', '/projects/1')).toBe(404)
    expect(await world.status('DELETE', `/projects/1/share/${team.id}`)).toBe(404)
    expect(await world.status('DELETE', '/projects/1/share/team')).toBe(400)
  })

  test('ends on its day: then it shows nowhere, and the project may be shared again', async () => {
    const { world, ann, share } = await shareable()
    expect((await share({ expires_at: day(0) })).body.expires_at).toBe(day(0))
    expect(await ann.status('GET', '/projects/1')).toBe(404)
    expect((await world.get('/projects/1')).shared_with_groups).toEqual([])
    expect((await share({ expires_at: day(2) })).status).toBe(201)
    expect(await ann.status('GET', '/projects/1')).toBe(200)
  })

  test('of a group with which it is shared already is a conflict', async () => {
    const { share } = await shareable()
    await share({})
    expect((await share({ group_access: 40 })).status).toBe(409)
  })

  test('with the group that it is in, or one above, is a conflict', async () => {
    const { world, team } = await shareable()
    const inner = await world.group('Inner', { parent_id: team.id })
    const { id } = await world.post('/projects', { name: 'app', namespace_id: inner.id })
    for (const group_id of [inner.id, team.id]) {
      expect(await world.status('POST', `/projects/${id}/share`, { group_id, group_access: 30 })).toBe(409)
    }
  })

  test('is not possible while a group above the project locks sharing', async () => {
    const { world, team } = await shareable()
    const other = await world.group('Other')
    const inner = await world.group('Inner', { parent_id: team.id })
    const { id } = await world.post('/projects', { name: 'app', namespace_id: inner.id })
    const share = () => world.answer('POST', `/projects/${id}/share`, { group_id: other.id, group_access: 30 })
    await world.put(`/groups/${team.id}`, { share_with_group_lock: true })
    expect(await share()).toEqual([403, { message: '403 Forbidden - The project sharing with group is disabled' }])
    await world.put(`/groups/${team.id}`, { share_with_group_lock: false })
    expect((await share())[0]).toBe(201)
  })

  test('is for maintainers, up to their own level, with groups that they see', async () => {
    const { world, ann, share } = await shareable()
    const ben = await world.member('ben', 40)
    await world.join(ann, 40)
    expect((await share({ group_access: 50 }, ann)).status).toBe(403)
    expect((await share({}, ben)).body).toEqual({ message: '404 Group Not Found' })
    expect((await share({ group_access: 40 }, ann)).status).toBe(201)
    const cas = await world.member('cas', 30)
    expect((await share({}, cas)).status).toBe(403)
    expect(await cas.status('DELETE', '/projects/1/share/2')).toBe(403)
  })

  test('shows the group’s name only to those who see the group', async () => {
    const { world, ann, share } = await shareable()
    const ben = await world.user('ben')
    await world.put('/projects/1', { visibility: 'public' })
    await share({})
    const groups = async (by: Caller) => (await by.get('/projects/1')).shared_with_groups.length
    expect([await groups(ann), await groups(ben), await groups(world.nobody)]).toEqual([1, 0, 0])
  })

  test('invalid parameters are refused', async () => {
    const { world, share } = await shareable()
    await eachCase(
      [
        [{ group_id: 999 }, 404],
        [{ group_id: 'team' }, 400],
        [{ group_access: 35 }, 400],
        [{ expires_at: '2001-01-01' }, 400],
        [{ expires_at: 'tomorrow' }, 400],
        [{ expires_at: '2027-02-30' }, 400],
      ],
      async ([given, status]) => {
        expect((await share(given)).status).toBe(status)
        expect((await world.get('/projects/1')).shared_with_groups).toEqual([])
      },
    )
  })
})
