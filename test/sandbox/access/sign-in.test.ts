// What a token's scopes allow (hosting-service.md §3.6).
import { expect, test } from 'vitest'
import { openProject, type World } from '../sandbox-world.ts'

async function tokenWith(world: World, ...scopes: string[]): Promise<string> {
  return (await world.post('/users/1/personal_access_tokens', { name: 'test', scopes })).token
}
const status = async (world: World, token: string, method: string, path: string) =>
  await world.status(method, path, undefined, token)

test('read_api reads everything and writes nothing', async () => {
  const world = await openProject()
  const token = await tokenWith(world, 'read_api')
  expect(await status(world, token, 'GET', '/projects/1')).toBe(200)
  expect(await world.answer('POST', '/projects/1/star', undefined, token)).toEqual([
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
  const user = await tokenWith(world, 'read_user')
  expect([await status(world, user, 'GET', '/user'), await status(world, user, 'GET', '/projects')]).toEqual([200, 403])
  const reader = await tokenWith(world, 'read_repository')
  expect(await status(world, reader, 'GET', '/projects/1/repository/files/README.md/raw?ref=master')).toBe(200)
  expect(await status(world, reader, 'GET', '/projects/1')).toBe(403)
  const clone = await world.cloneOverHttp('root/app', reader)
  await world.commit(clone, 'a.txt', 'a')
  expect((await world.git(clone, 'push', 'origin', 'HEAD:refs/heads/a')).code).not.toBe(0)
  const writer = await tokenWith(world, 'write_repository')
  expect((await world.git(clone, 'push', world.remote('root/app', writer), 'HEAD:refs/heads/a')).code).toBe(0)
})

test('an unknown token is refused where anonymous callers may read', async () => {
  const world = await openProject({ visibility: 'public' })
  expect(await status(world, 'nobodys', 'GET', '/projects/1')).toBe(401)
})
