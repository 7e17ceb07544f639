// Forks: there at once, filled in the background; fork relations (§4.3).
import { eachCase, openWorld, test, type World } from '../sandbox-world.ts'

/** root/app with a branch and a tag, and a user who may fork it. */
async function forkable(settings: Record<string, unknown> = {}) {
  const world = await openWorld()
  const ann = await world.prepare(['forkable', settings], async (own) => {
    await own.project({ visibility: 'public', ...settings })
    await own.write('feature', 'a.txt', 'a')
    await own.post('/projects/1/repository/tags', { tag_name: 'v1', ref: 'master' })
    const { id, token } = await own.user('ann')
    return { id, token }
  })
  return { world, ann }
}

async function fork(world: World, token: string, namespace: unknown) {
  return world.call('POST', '/projects/1/fork', { namespace }, token)
}

test('a fork is answered at once and finished in the background: branches, tags and default branch are those of the source', async () => {
  const { world, ann } = await forkable({ description: 'About', tag_list: ['x'], wiki_enabled: false })
  await world.put('/projects/1', { default_branch: 'feature' })
  const answer = await fork(world, ann.token, 'ann')
  expect(answer).toMatchObject({
    status: 201,
    body: {
      import_status: 'scheduled',
      path_with_namespace: 'ann/app',
      name: 'app',
      description: 'About',
      tag_list: ['x'],
      wiki_enabled: false,
      visibility: 'public',
      default_branch: 'feature',
      creator_id: ann.id,
      forked_from_project: { id: 1, path_with_namespace: 'root/app' },
    },
  })
  await world.idle()
  const path = `/projects/${answer.body.id}`
  expect(await world.get(path, ann.token)).toMatchObject({
    import_status: 'finished',
    default_branch: 'feature',
  })
  const branches = await world.get(`${path}/repository/branches`, ann.token)
  expect(branches.map(({ name }: { name: string }) => name).sort()).toEqual(['feature', 'master'])
  const clone = await world.cloneOverHttp('ann/app', ann.token)
  expect((await world.git(clone, 'tag')).output.trim()).toBe('v1')
  expect((await world.git(clone, 'branch', '--show-current')).output.trim()).toBe('feature')
  expect((await world.get('/projects/1')).forks_count).toBe(1)
})

test('a namespace by id or path, of one’s own or a group that takes projects', async () => {
  const { world, ann } = await forkable()
  const team = await world.group('Team', { visibility: 'public' })
  const inner = await world.group('Inner', { parent_id: team.id, visibility: 'public' })
  await world.join(ann, 30, `groups/${team.id}`)
  expect((await fork(world, ann.token, team.id)).body.path_with_namespace).toBe('team/app')
  expect((await fork(world, ann.token, 'TEAM/inner')).body.namespace.id).toBe(inner.id)
  expect((await fork(world, ann.token, 'ann')).body.path_with_namespace).toBe('ann/app')
})

test('a namespace that is missing or not for the caller is 404', async () => {
  const { world, ann } = await forkable()
  await world.group('Team', { visibility: 'public' })
  await eachCase(['nowhere', 999, 'root', 'team', '..', 'x'.repeat(1000)], async (namespace) => {
    const answer = await fork(world, ann.token, namespace)
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Target Namespace Not Found' }])
  })
})

test('a name or path that is taken there is a conflict', async () => {
  const { world, ann } = await forkable()
  const taken = ['has already been taken']
  expect((await fork(world, 'root-token', 'root')).body).toEqual({ message: { name: taken, path: taken } })
  await world.post('/projects', { name: 'Another', path: 'App' }, ann.token)
  const answer = await fork(world, ann.token, 'ann')
  expect([answer.status, answer.body]).toEqual([409, { message: { path: taken } }])
})

test('of several at once exactly one is made', async () => {
  const { world, ann } = await forkable()
  const make = () => world.call('POST', '/projects', { name: 'app' }, ann.token)
  const answers = await Promise.all([fork(world, ann.token, 'ann'), make(), fork(world, ann.token, 'ann'), make()])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  await world.idle()
})

test('a private project is forked by those who read its code; the fork is private', async () => {
  const { world, ann } = await forkable({ visibility: 'private' })
  expect((await fork(world, ann.token, 'ann')).status).toBe(404)
  const { id } = await world.join(ann, 10)
  expect([id, (await fork(world, ann.token, 'ann')).status]).toEqual([ann.id, 403])
  await world.delete(`/projects/1/members/${ann.id}`)
  await world.join(ann, 20)
  const { body } = await fork(world, ann.token, 'ann')
  expect(body.visibility).toBe('private')
  await world.delete(`/projects/1/members/${ann.id}`)
  expect(await world.get(`/projects/${body.id}`, ann.token)).not.toHaveProperty('forked_from_project')
})

test('the list of forks has those that the caller sees, with the filters of every list', async () => {
  const { world, ann } = await forkable()
  const ben = await world.user('ben')
  await fork(world, ann.token, 'ann')
  const { body } = await fork(world, ben.token, 'ben')
  await world.idle()
  await world.put(`/projects/${body.id}`, { visibility: 'private' })
  const list = async (query: string, token: string | null) =>
    (await world.body('GET', `/projects/1/forks${query}`, undefined, token)).map((each: { id: number }) => each.id)
  expect(await list('', ben.token)).toEqual([3, 2])
  expect(await list('?sort=asc', ben.token)).toEqual([2, 3])
  expect(await list('?owned=true', ben.token)).toEqual([3])
  expect(await list('?visibility=public', ben.token)).toEqual([2])
  expect([await list('', ann.token), await list('', null)]).toEqual([[2], [2]])
  expect(await world.body('GET', '/projects/2/forks')).toEqual([])
})

describe('a fork relation', () => {
  test('is made and removed by administrators', async ({ world }) => {
    const ann = await world.user('ann')
    for (const name of ['one', 'two']) await world.post('/projects', { name, visibility: 'public' })
    expect(await world.status('POST', '/projects/2/fork/1', undefined, ann.token)).toBe(403)
    expect((await world.post('/projects/2/fork/root%2Fone')).forked_from_project.id).toBe(1)
    expect(await world.list('id', '/projects/1/forks')).toEqual([2])
    expect(await world.answer('POST', '/projects/2/fork/1')).toEqual([409, { message: 'Project already forked' }])
    expect(await world.status('DELETE', '/projects/2/fork', undefined, ann.token)).toBe(403)
    expect(await world.status('DELETE', '/projects/2/fork')).toBe(204)
    expect(await world.answer('DELETE', '/projects/2/fork')).toEqual([304, null])
  })

  test('never makes a project its own ancestor, and needs a source', async ({ world }) => {
    for (const name of ['one', 'two', 'three']) await world.post('/projects', { name })
    await world.post('/projects/2/fork/1')
    await world.post('/projects/3/fork/2')
    for (const source of [1, 2, 3]) expect(await world.status('POST', `/projects/1/fork/${source}`)).toBe(409)
    expect(await world.status('POST', '/projects/1/fork/99')).toBe(404)
  })
})
