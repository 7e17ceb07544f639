// What a token's scopes allow.
import { openProject, test, verbsOf, type World } from '../sandbox-world.ts'

/** Root by a token with these scopes. */
async function rootWith(world: World, ...scopes: string[]) {
  const { token } = await world.post('/users/1/personal_access_tokens', { name: 'test', scopes })
  return { token, ...verbsOf(world.url, token) }
}

test('read_api reads everything and writes nothing', async ({ withProject: world }) => {
  const reader = await rootWith(world, 'read_api')
  expect(await reader.status('GET', '/projects/1')).toBe(200)
  expect(await reader.answer('POST', '/projects/1/star')).toEqual([
    403,
    {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'api',
    },
  ])
})

test('read_user reads the user only; read_repository reads files and clones, and does not push', async () => {
  const world = await openProject()
  const user = await rootWith(world, 'read_user')
  expect([await user.status('GET', '/user'), await user.status('GET', '/projects')]).toEqual([200, 403])
  const reader = await rootWith(world, 'read_repository')
  expect(await reader.status('GET', '/projects/1/repository/files/README.md/raw?ref=master')).toBe(200)
  expect(await reader.status('GET', '/projects/1')).toBe(403)
  const clone = await world.cloneOverHttp('root/app', reader.token)
  await world.commit(clone, 'a.txt', 'a')
  expect((await world.git(clone, 'push', 'origin', 'HEAD:refs/heads/a')).code).not.toBe(0)
  const writer = await rootWith(world, 'write_repository')
  expect((await world.git(clone, 'push', world.remote('root/app', writer.token), 'HEAD:refs/heads/a')).code).toBe(0)
})

async function statusWith(world: World, headers: Record<string, string>, path = '/user', method = 'GET') {
  const response = await fetch(`${world.url}/api/v4${path}`, { method, headers })
  await response.body?.cancel()
  return response.status
}

test('a personal access token works in either header', async ({ world }) => {
  const { token } = await rootWith(world, 'api')
  expect(await statusWith(world, { 'PRIVATE-TOKEN': token })).toBe(200)
  expect(await statusWith(world, { Authorization: `Bearer ${token}` })).toBe(200)
})

test('a token of OAuth works as Bearer alone, and tells no expiry date', async ({ withProject: world }) => {
  const given = { name: 'app', scopes: ['api'], oauth: true }
  const { token } = await world.post('/users/1/personal_access_tokens', given)
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const bearer = { Authorization: `Bearer ${token}` }
  expect(await statusWith(world, bearer)).toBe(200)
  expect(await world.answer('GET', '/user', undefined, token)).toEqual([401, { message: '401 Unauthorized' }])
  // As in GitLab, Bearer is looked at first.
  expect(await statusWith(world, { ...bearer, 'PRIVATE-TOKEN': 'nobodys' })).toBe(200)
  expect(await statusWith(world, { Authorization: 'Bearer nobodys', 'PRIVATE-TOKEN': token })).toBe(401)
  expect(await statusWith(world, bearer, '/personal_access_tokens/self')).toBe(400)
  expect(await statusWith(world, bearer, '/personal_access_tokens/self/rotate', 'POST')).toBe(405)
  expect((await world.git(world.folder, 'ls-remote', world.remote('root/app', token))).code).toBe(0)
})

test('a wrong job token is 401, also where nobody needs a token', async ({ world }) => {
  await world.post('/projects', { name: 'app', visibility: 'public' })
  const token = { 'JOB-TOKEN': 'nobodys-token' }
  expect(await statusWith(world, {}, '/projects/1')).toBe(200)
  expect(await statusWith(world, token, '/projects/1')).toBe(401)
  expect(await statusWith(world, token)).toBe(401)
})

test('an administrator acts as somebody else, by header or parameter', async ({ world }) => {
  const ann = await world.user('ann')
  const root = { 'PRIVATE-TOKEN': 'root-token' }
  const name = async (headers: Record<string, string>, query = '') => {
    const response = await fetch(`${world.url}/api/v4/user${query}`, { headers })
    const body = (await response.json()) as { username?: string; message?: string; error?: string }
    return body.username ?? body.message ?? body.error
  }
  expect(await name({ ...root, Sudo: 'Ann' })).toBe('ann')
  expect(await name(root, `?sudo=${ann.id}`)).toBe('ann')
  expect(await name(root, '?sudo=nobody')).toBe("404 User with ID or username 'nobody' Not Found")
  expect(await name({ 'PRIVATE-TOKEN': ann.token, Sudo: 'root' })).toBe('403 Forbidden - Must be admin to use sudo')
  const { token } = await rootWith(world, 'api')
  expect(await name({ 'PRIVATE-TOKEN': token, Sudo: 'ann' })).toBe('insufficient_scope')
  expect(await name({ Sudo: 'root' })).toBe('401 Unauthorized')
})
