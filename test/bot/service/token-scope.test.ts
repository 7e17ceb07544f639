// Whether the token may write: as real scopes of a sandbox answer, asked seldom, and never waited for.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTokenScope, createTokenScope } from '../../../src/bot/service/token-scope.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.ts'

let folder: string
let sandbox: Sandbox
let asked = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-scope-'))
  sandbox = await startSandbox({
    ...{ rootToken: 'root-token', folder },
    gate: async ({ endpoint }) => {
      if (endpoint === 'projects.star') asked += 1
    },
  })
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

const clientWith = (token: string | (() => string), baseUrl = sandbox.url) =>
  createClient({ baseUrl, token, attempts: 1 })
async function tokenWith(scope: string): Promise<string> {
  const root = clientWith('root-token')
  const username = `u-${randomUUID()}`
  const { id = 0 } = (await root.users.create({ username, name: 'U', email: `${username}@example.com` })).body
  return String((await root.users.createToken({ user_id: id, name: 'test', scopes: [scope] })).body.token)
}

test('a token of the scope api may write, one of read_api may not, and of no answer nothing is known', async () => {
  expect(await askTokenScope(clientWith(await tokenWith('api')))).toEqual({ is: 'fine' })
  expect(await askTokenScope(clientWith(await tokenWith('read_api')))).toEqual({
    is: 'too_narrow',
    reason: expect.stringContaining('scope'),
  })
  expect(await askTokenScope(clientWith('wrong'))).toMatchObject({ is: 'unknown' })
  expect(await askTokenScope(clientWith('x', 'http://127.0.0.1:1'))).toMatchObject({ is: 'unknown' })
})

test('is answered at once from the last read, and read again after ten minutes or for another token', async () => {
  const [narrow, wide] = [await tokenWith('read_api'), await tokenWith('api')]
  let [token, now] = [narrow, 0]
  const scope = createTokenScope({ client: clientWith(() => token), token: () => token, now: () => now })
  expect(scope()).toEqual({ is: 'unknown' })
  await expect.poll(() => scope().is).toBe('too_narrow')
  token = wide
  expect(scope()).toEqual({ is: 'unknown' })
  await expect.poll(() => scope().is).toBe('fine')
  const before = asked
  now += 10 * 60_000 - 1
  expect(scope()).toEqual({ is: 'fine' })
  now += 1
  expect(scope()).toEqual({ is: 'fine' })
  await expect.poll(() => asked).toBe(before + 1)
})
