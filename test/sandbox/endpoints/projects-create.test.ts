// Creating projects: where, with which name, path and settings, for whom.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eachCase, openWorld, test } from '../sandbox-world.ts'

test('a name or path of another project of the namespace is refused; in another namespace it is free', async () => {
  const world = await openWorld()
  const team = await world.group('Team')
  await world.post('/projects', { name: 'App', path: 'one' })
  const make = async (given: object) => (await world.body('POST', '/projects', given)).message
  expect(await make({ name: 'App', path: 'two' })).toEqual({ name: ['has already been taken'] })
  expect(await make({ name: 'Other', path: 'ONE' })).toEqual({ path: ['has already been taken'] })
  expect(await make({ name: 'App', path: 'one' })).toEqual({
    name: ['has already been taken'],
    path: ['has already been taken'],
  })
  await world.post('/projects', { name: 'App', path: 'one', namespace_id: team.id })
})

test('of several at once with one path exactly one is made, and no repository is left of the others', async () => {
  const world = await openWorld()
  const answers = await Promise.all([1, 2, 3, 4].map(() => world.call('POST', '/projects', { name: 'app' })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const [project, ...others] = await world.get('/projects')
  expect([others, await readdir(join(world.folder, 'repositories'))]).toEqual([[], [`${project.id}.git`]])
})

test('settings are kept, all of them', async ({ world }) => {
  const settings = {
    description: 'About',
    default_branch: 'trunk',
    issues_enabled: false,
    merge_requests_enabled: false,
    jobs_enabled: false,
    wiki_enabled: false,
    snippets_enabled: true,
    resolve_outdated_diff_discussions: true,
    container_registry_enabled: true,
    shared_runners_enabled: false,
    visibility: 'public',
    public_jobs: false,
    only_allow_merge_if_pipeline_succeeds: true,
    only_allow_merge_if_all_discussions_are_resolved: true,
    request_access_enabled: true,
    approvals_before_merge: 3,
    repository_storage: 'fast',
  }
  const taken = {
    lfs_enabled: false,
    ci_config_path: 'ci/build.yml',
    printing_merge_request_link_enabled: false,
    tag_list: ['b', ' a ', 'b', ''],
  }
  const { id } = await world.post('/projects', { name: 'app', ...settings, ...taken })
  const shown = await world.get(`/projects/${id}`)
  expect(shown).toMatchObject({ ...settings, tag_list: ['b', 'a'], printing_merge_requests_link_enabled: false })
  expect(shown).not.toHaveProperty('lfs_enabled')
  expect(shown).not.toHaveProperty('ci_config_path')
})

test('tags may also come as a comma string, and everything as a form', async ({ world }) => {
  expect((await world.post('/projects', { name: 'a', tag_list: 'one, two' })).tag_list).toEqual(['one', 'two'])
  const response = await fetch(`${world.url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': 'root-token' },
    body: new URLSearchParams([
      ['name', 'b'],
      ['tag_list[]', 'one'],
      ['tag_list[]', 'two'],
      ['wiki_enabled', 'false'],
    ]),
  })
  expect(await response.json()).toMatchObject({ name: 'b', tag_list: ['one', 'two'], wiki_enabled: false })
})

test('the default branch is what a clone of the empty project begins with', async ({ world }) => {
  await world.post('/projects', { name: 'app', default_branch: 'trunk' })
  const clone = await world.clone('root/app')
  await world.commit(clone, 'a.txt', 'a')
  expect((await world.git(clone, 'push', 'origin', 'HEAD')).code).toBe(0)
  expect((await world.get('/projects/1')).default_branch).toBe('trunk')
})

test('invalid settings are refused, and no project is made', async ({ world }) => {
  await eachCase(
    [
      [{}, 'error'],
      [{ name: '  ', path: 'a' }, 'message'],
      [{ name: '???' }, 'message'],
      [{ name: 'a', path: '../b' }, 'message'],
      [{ name: 'a', default_branch: 'a..b' }, 'message'],
      [{ name: 'a', approvals_before_merge: -1 }, 'error'],
      [{ name: 'a', namespace_id: 'team' }, 'error'],
      [{ name: 'a', import_url: 'file:///etc' }, 'message'],
      [{ name: 'a', avatar: 'picture' }, 'error'],
      [{ name: 'a', description: 'x'.repeat(100_000) }, 'message'],
      [{ name: 'a', repository_storage: '' }, 'message'],
    ],
    async ([given, kind]) => {
      const answer = await world.call('POST', '/projects', given)
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, [kind]])
      expect(await world.get('/projects')).toEqual([])
    },
  )
})

test('an administrator makes a project in the user’s namespace', async ({ world }) => {
  const ann = await world.user('ann')
  const project = await world.post(`/projects/user/${ann.id}`, {
    name: 'My App',
    default_branch: 'trunk',
    repository_storage: 'fast',
  })
  expect(project).toMatchObject({
    path_with_namespace: 'ann/my-app',
    creator_id: ann.id,
    owner: { id: ann.id },
    default_branch: 'master',
  })
  expect((await ann.get('/projects/1')).permissions.project_access.access_level).toBe(50)
})

test('the user’s own rights decide on other namespaces', async ({ world }) => {
  const ann = await world.user('ann')
  const team = await world.group('Team')
  const make = () => world.call('POST', `/projects/user/${ann.id}`, { name: 'app', namespace_id: team.id })
  expect((await make()).body).toEqual({ message: { namespace: ['is not valid'] } })
  await world.join(ann, 40, `groups/${team.id}`)
  expect((await make()).body).toMatchObject({ path_with_namespace: 'team/app' })
})

test('others are refused; the name is needed; the user has to exist', async ({ world }) => {
  const ann = await world.user('ann')
  const make = async (user: number | string, given: object, token = 'root-token') => {
    const { status, body } = await world.call('POST', `/projects/user/${user}`, given, token)
    return [status, body]
  }
  expect(await make(ann.id, { name: 'app' }, ann.token)).toEqual([403, { message: '403 Forbidden' }])
  expect(await make(ann.id, { path: 'app' })).toEqual([400, { error: 'name is missing' }])
  expect(await make(99, { name: 'app' })).toEqual([404, { message: '404 User Not Found' }])
  expect(await make('ann', { name: 'app' })).toEqual([400, { error: 'user_id is invalid' }])
})

test.each([
  [{ name: 'My New App!' }, { name: 'My New App!', path: 'my-new-app' }],
  [{ path: 'some_path' }, { name: 'some_path', path: 'some_path' }],
  [
    { name: 'Name', path: 'other' },
    { name: 'Name', path: 'other' },
  ],
])('name and path %o becomes %o', async (given, wanted) => {
  const world = await openWorld()
  const project = await world.post('/projects', given)
  expect(project).toMatchObject({
    ...wanted,
    path_with_namespace: `root/${wanted.path}`,
    namespace: { kind: 'user', path: 'root' },
  })
  expect(project.http_url_to_repo).toBe(`${world.url}/root/${wanted.path}.git`)
})

test('a developer of a group makes projects in it, a reporter not, and nobody in the namespace of another', async () => {
  const world = await openWorld()
  const [ann, ben] = await world.people('ann', 'ben')
  const team = await world.group('Team')
  await world.join(ann, 30, `groups/${team.id}`)
  await world.join(ben, 20, `groups/${team.id}`)
  const make = async (name: string, namespace_id: number, token: string) =>
    await world.status('POST', '/projects', { name, namespace_id }, token)
  expect([
    await make('a', team.id, ann.token),
    await make('b', team.id, ben.token),
    await make('c', 1, ann.token),
  ]).toEqual([201, 400, 400])
})
