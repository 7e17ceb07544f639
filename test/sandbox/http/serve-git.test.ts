// Clone, fetch and push over HTTP.

import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { eachCase, openProject, test } from '../sandbox-world.ts'

test('a private project and a missing one ask for a token', async ({ withProject: world }) => {
  for (const path of ['root/app', 'root/none']) {
    const response = await fetch(`${world.url}/${path}.git/info/refs?service=git-upload-pack`)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Sandbox"'])
  }
})

test('a wrong token is refused, for fetch and for push', async ({ withProject: world }) => {
  const clone = await world.cloneOverHttp('root/app')
  await world.commit(clone, 'a.txt', 'a')
  const fetched = await world.git(clone, 'fetch', world.remote('root/app', 'wrong'))
  const pushed = await world.git(clone, 'push', world.remote('root/app', 'wrong'), 'HEAD:a')
  expect([fetched.code, pushed.code]).toEqual([128, 128])
  expect(fetched.output).toContain('Authentication failed')
  expect(pushed.output).toContain('Authentication failed')
  expect(await world.status('GET', '/projects/1/repository/branches/a')).toBe(404)
})

test.each([
  [0, 404, 404],
  [10, 404, 404],
  [20, 200, 403],
  [30, 200, 200],
])('with access level %i of a private project fetch answers %i and push %i', async (level, fetched, pushed) => {
  const world = await openProject()
  const user = await world.user('someone')
  if (level > 0) await world.join(user, level)
  const ask = async (service: string) => {
    const headers = { Authorization: `Basic ${Buffer.from(`x:${user.token}`).toString('base64')}` }
    return (await fetch(`${world.url}/root/app.git/info/refs?service=${service}`, { headers })).status
  }
  expect([await ask('git-upload-pack'), await ask('git-receive-pack')]).toEqual([fetched, pushed])
})

test('megabytes go up and come down as they were', async ({ withProject: world }) => {
  const clone = await world.cloneOverHttp('root/app')
  const content = randomBytes(3_000_000).toString('hex')
  const sha = await world.commit(clone, 'big.txt', content)
  expect((await world.push(clone, 'master')).code).toBe(0)
  const second = await world.cloneOverHttp('root/app')
  expect((await world.git(second, 'rev-parse', 'HEAD')).output.trim()).toBe(sha)
  expect(await world.get('/projects/1/repository/files/big.txt/raw?ref=master')).toBe(content)
})

test('the first branch of an empty project becomes its default branch', async ({ world }) => {
  await world.post('/projects', { name: 'app' })
  const clone = await world.cloneOverHttp('root/app')
  await world.git(clone, 'checkout', '--quiet', '-b', 'trunk')
  await world.commit(clone, 'a.txt', 'a')
  expect((await world.push(clone, 'trunk')).code).toBe(0)
  expect((await world.get('/projects/1')).default_branch).toBe('trunk')
  const second = await world.cloneOverHttp('root/app')
  expect((await world.git(second, 'branch', '--show-current')).output.trim()).toBe('trunk')
})

test('a cancelled push leaves nothing running', async ({ withProject: world }) => {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const authorization = Buffer.from('x:root-token').toString('base64')
  await new Promise<void>((resolve) => {
    socket.write(
      `POST /root/app.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${authorization}\r\nContent-Type: application/x-git-receive-pack-request\r\nContent-Length: 100000\r\n\r\n0000`,
      () => resolve(),
    )
  })
  socket.destroy()
  // Writes to the project would wait for a push that never ends; closing would wait for its process.
  await world.write('master', 'after.txt', 'after')
  await world.sandbox.close()
})

test('a project that is removed during a push ends the push, and breaks nothing', async ({ withProject: world }) => {
  const pushing = request(`${world.url}/root/app.git/git-receive-pack`, {
    method: 'POST',
    auth: 'x:root-token',
    headers: { 'Content-Type': 'application/x-git-receive-pack-request', Expect: '100-continue' },
  })
  const begun = new Promise((resolve) => pushing.once('continue', resolve))
  const answered = new Promise<number>((resolve, reject) => {
    pushing.once('error', reject)
    pushing.once('response', (response) => {
      response.once('error', reject)
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
  })
  pushing.flushHeaders()
  await begun
  const line = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/new\0report-status`
  await new Promise((resolve) => pushing.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}`, resolve))
  await world.delete('/projects/1')
  pushing.end('0000')
  expect(await answered).toBeLessThan(500)
  expect(await world.status('GET', '/projects/1')).toBe(404)
})

test('other addresses of a repository are a 4xx', async () => {
  const world = await openProject({ visibility: 'public' })
  await eachCase(
    [
      '/root/app.git/HEAD',
      '/root/app.git/objects/info/packs',
      '/root/app.git/info/refs',
      '/root/..%2f..%2fapp.git/info/refs?service=git-upload-pack',
      '/root/app.git/config',
      '/root/%00app.git/info/refs?service=git-upload-pack',
      '/%ff.git/info/refs?service=git-upload-pack',
    ],
    async (path) => {
      const response = await fetch(world.url + path)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(await response.text()).not.toContain(' at ')
    },
  )
})

test.each(['git-upload-pack', 'git-receive-pack'])(
  'whatever is posted to %s, nothing of the server breaks',
  async (service) => {
    const world = await openProject()
    const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
      const response = await fetch(`${world.url}/root/app.git/${service}`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from('x:root-token').toString('base64')}`,
          'Content-Type': `application/x-${service}-request`,
          ...headers,
        },
        body,
      })
      await response.arrayBuffer()
      return response.status
    }
    const statuses = [
      await post(''),
      await post('zzzz'),
      await post('fffeshort'),
      await post('0000'),
      await post(new Uint8Array(randomBytes(2000))),
      await post('no gzip at all', { 'Content-Encoding': 'gzip' }),
      await post('0000', { 'Git-Protocol': 'version=99; $(id)' }),
      await post('0000', { 'Content-Type': 'text/plain' }),
    ]
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(statuses.at(-1)).toBe(415)
    expect((await world.git(await world.cloneOverHttp('root/app'), 'fsck')).code).toBe(0)
  },
)

test('a refusal is JSON, and plain text for git', async ({ withProject: world }) => {
  const address = `${world.url}/root/app.git/info/refs?service=git-upload-pack`
  const asked = await fetch(address)
  expect([asked.status, await asked.json()]).toEqual([
    401,
    { message: 'HTTP Basic: Access denied. Use a personal access token as the password.' },
  ])
  const byGit = await fetch(address, { headers: { 'User-Agent': 'git/2.47.0' } })
  expect([byGit.status, byGit.headers.get('content-type')]).toEqual([401, 'text/plain; charset=utf-8'])
})

test('a caller who leaves a clone half read does not keep the sandbox from closing', async ({ withProject: world }) => {
  const { id } = await world.write('master', 'large.txt', randomBytes(4_000_000).toString('hex'))
  const want = `want ${id}\n`
  const left = new Promise<void>((resolve, reject) => {
    const asked = request(`${world.url}/root/app.git/git-upload-pack`, {
      method: 'POST',
      auth: 'any:root-token',
      headers: { 'content-type': 'application/x-git-upload-pack-request' },
    })
    asked.once('error', reject)
    asked.once('response', (response) => {
      response.on('error', () => undefined)
      response.once('data', () => {
        response.pause()
        // Git may have ended, and the sandbox waits for the caller.
        setTimeout(() => resolve(void response.destroy()), 100)
      })
    })
    asked.end(`${(want.length + 4).toString(16).padStart(4, '0')}${want}00000009done\n`)
  })
  await left
  await world.sandbox.close()
})
