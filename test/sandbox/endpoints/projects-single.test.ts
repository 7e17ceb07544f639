// A single project: its fields and their visibility.
import { openWorld, test } from '../sandbox-world.ts'

test('a project in a user’s namespace names its owner, its addresses and seven links', async ({ world }) => {
  await world.post('/projects', { name: 'My App' })
  const { url } = world.sandbox
  expect(await world.get('/projects/root%2Fmy-app')).toMatchObject({
    name_with_namespace: 'Administrator / My App',
    path_with_namespace: 'root/my-app',
    web_url: `${url}/root/my-app`,
    ssh_url_to_repo: 'git@127.0.0.1:root/my-app.git',
    owner: { id: 1, name: 'Administrator', created_at: expect.any(String) },
    namespace: { kind: 'user', path: 'root', full_path: 'root', parent_id: null },
    import_status: 'none',
    import_error: null,
    avatar_url: null,
    repository_storage: 'default',
    printing_merge_requests_link_enabled: true,
    _links: {
      self: `${url}/api/v4/projects/1`,
      issues: `${url}/api/v4/projects/1/issues`,
      merge_requests: `${url}/api/v4/projects/1/merge_requests`,
      repo_branches: `${url}/api/v4/projects/1/repository/branches`,
      labels: `${url}/api/v4/projects/1/labels`,
      events: `${url}/api/v4/projects/1/events`,
      members: `${url}/api/v4/projects/1/members`,
    },
  })
})

describe('the caller’s permissions', () => {
  test('tell the own level in the project and that through groups', async ({ world }) => {
    const ann = await world.user('ann')
    const team = await world.group('Team', { visibility: 'public' })
    const inner = await world.group('Inner', { parent_id: team.id, visibility: 'public' })
    const { id } = await world.post('/projects', { name: 'app', namespace_id: inner.id, visibility: 'public' })
    const permissions = async () => (await ann.get(`/projects/${id}`)).permissions
    expect(await permissions()).toEqual({ project_access: null, group_access: null })
    await world.join(ann, 20, `groups/${team.id}`)
    expect(await permissions()).toEqual({
      project_access: null,
      group_access: { access_level: 20, notification_level: 3 },
    })
    await world.join(ann, 40, `projects/${id}`)
    expect(await permissions()).toEqual({
      project_access: { access_level: 40, notification_level: 3 },
      group_access: { access_level: 20, notification_level: 3 },
    })
  })

  test('are those of an owner in the own namespace, and nothing for an administrator elsewhere or for nobody', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await ann.post('/projects', { name: 'app', visibility: 'public' })
    const permissions = async (token: string | null) =>
      (await world.body('GET', '/projects/1', undefined, token)).permissions
    expect(await permissions(ann.token)).toEqual({
      project_access: { access_level: 50, notification_level: 3 },
      group_access: null,
    })
    expect(await permissions('root-token')).toEqual({ project_access: null, group_access: null })
    expect(await permissions(null)).toBeUndefined()
  })
})

test('the runners’ token is for maintainers and administrators', async ({ world }) => {
  const [ann, ben] = await world.people('ann', 'ben')
  await world.post('/projects', { name: 'app', visibility: 'public' })
  await world.join(ann, 40)
  await world.join(ben, 30)
  const shows = async (path: string) => {
    const bodies = ['root-token', ann.token, ben.token, null].map((token) => world.body('GET', path, undefined, token))
    return (await Promise.all(bodies)).map((body) => 'runners_token' in (Array.isArray(body) ? body[0] : body))
  }
  expect([await shows('/projects/1'), await shows('/projects')]).toEqual([
    [true, true, false, false],
    [true, true, false, false],
  ])
})

describe('statistics', () => {
  test('count the commits of the default branch and the bytes on disk, on request', async ({ world }) => {
    const empty = await world.post('/projects', { name: 'empty' })
    expect((await world.get(`/projects/${empty.id}?statistics=true`)).statistics.commit_count).toBe(0)
    const project = await world.project()
    for (const branch of ['master', 'feature'])
      await world.writeIn(project.id, branch, branch, { content: 'x'.repeat(1000) })
    const { statistics } = await world.get(`/projects/${project.id}?statistics=true`)
    expect(statistics.commit_count).toBe(2)
    expect(statistics.repository_size).toBeGreaterThan(100)
    expect(statistics.storage_size).toBe(statistics.repository_size)
    expect(await world.get(`/projects/${project.id}`)).not.toHaveProperty('statistics')
  })

  test('are for signed-in users who may read the code', async ({ world }) => {
    const [ann, ben] = await world.people('ann', 'ben')
    await world.project({ visibility: 'private' })
    await world.join(ann, 20)
    await world.join(ben, 10)
    const has = async (token: string | null) =>
      'statistics' in (await world.body('GET', '/projects/1?statistics=true', undefined, token))
    expect([await has(ann.token), await has(ben.token)]).toEqual([true, false])
    await world.put('/projects/1', { visibility: 'public' })
    expect([await has(ben.token), await has(null)]).toEqual([true, false])
  })
})

test('the users of a project are its members, those of groups above it and its owner; they can be searched', async () => {
  const world = await openWorld()
  const [ann, ben] = [await world.user('ann'), await world.user('ben', { name: 'Benjamin' })]
  await world.user('cas')
  const team = await world.group('Team')
  const { id } = await world.post('/projects', { name: 'app', namespace_id: team.id })
  await world.join(ann, 20, `groups/${team.id}`)
  await world.join(ben, 30, `projects/${id}`)
  const usernames = async (query = '') => await world.list('username', `/projects/${id}/users${query}`)
  expect(await usernames()).toEqual(['root', 'ann', 'ben'])
  expect([await usernames('?search=JAM'), await usernames('?search=ann'), await usernames('?search=cas')]).toEqual([
    ['ben'],
    ['ann'],
    [],
  ])
  await ann.post('/projects', { name: 'own' })
  expect(await world.get('/projects/ann%2Fown/users')).toMatchObject([
    { username: 'ann', state: 'active', avatar_url: null },
  ])
  expect(await world.nobody.status('GET', `/projects/${id}/users`)).toBe(401)
})
