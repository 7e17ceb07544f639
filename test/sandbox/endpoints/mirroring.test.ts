// Imports, pull mirroring and housekeeping.
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { deferred } from '../../../src/sandbox/storage/schedule.ts'
import { openWorld, serve, test } from '../sandbox-world.ts'

/** Another sandbox with root/app: where things are fetched from. */
async function upstream() {
  const there = await openWorld()
  await there.prepare('upstream', async (own) => {
    await own.project()
    return own.write('feature', 'a.txt', 'a')
  })
  return { there, here: await openWorld(), url: there.remote('root/app', 'root-token') }
}

/** A server that takes requests and never answers. */
async function silentServer() {
  const asked = deferred<void>()
  const server = createServer(() => asked.resolve())
  return { url: await serve(server), asked: asked.promise, close: () => server.closeAllConnections() }
}

describe('an import', () => {
  test('fetches branches, tags and the default branch after the response, without hooks', async () => {
    const { there, here, url } = await upstream()
    await there.put('/projects/1', { default_branch: 'feature' })
    const project = await here.post('/projects', { name: 'copy', import_url: url })
    expect(project).toMatchObject({ import_status: 'scheduled', import_error: null })
    const hooked = await here.receiver({ push_events: true })
    await here.sandbox.idle()
    expect(await here.get('/projects/1')).toMatchObject({
      import_status: 'finished',
      import_error: null,
      default_branch: 'feature',
    })
    expect(hooked.received).toEqual([])
    expect((await here.list('name', '/projects/1/repository/branches')).sort()).toEqual(['feature', 'master'])
  })

  test('that fails shows the reason without the password; the URL is never shown', async () => {
    const { there, here } = await upstream()
    const url = there.remote('root/app', 's3cret-word')
    const created = await here.post('/projects', { name: 'copy', import_url: url })
    await here.sandbox.idle()
    const project = await here.get('/projects/1')
    expect(project.import_status).toBe('failed')
    expect(project.import_error).toMatch(/Authentication failed|Access denied/)
    expect(JSON.stringify([created, project, await here.get('/projects')])).not.toMatch(/s3cret/)
  })

  test('from a server that hangs does not block changes and removal of the project', async () => {
    const here = await openWorld()
    const silent = await silentServer()
    await here.post('/projects', { name: 'copy', import_url: `${silent.url}/a.git` })
    await silent.asked
    expect((await here.get('/projects/1')).import_status).toBe('started')
    await here.post('/projects/1/star')
    await here.delete('/projects/1')
    silent.close()
    await here.sandbox.idle()
    expect(await readdir(join(here.folder, 'repositories'))).toEqual([])
  })
})

describe('a pull', () => {
  test('fetches new commits; merge requests and hooks follow as after a push', async () => {
    const { there, here, url } = await upstream()
    await here.post('/projects', { name: 'copy', import_url: url })
    await here.sandbox.idle()
    const mr = { source_branch: 'feature', target_branch: 'master', title: 'Add the feature' }
    await here.post('/projects/1/merge_requests', mr)
    const hooked = await here.receiver({ push_events: true, merge_requests_events: true })
    const { id: sha } = await there.write('feature', 'b.txt', 'b')
    expect(await here.post('/projects/1/mirror/pull')).toEqual({ message: '200 OK' })
    await here.sandbox.idle()
    expect((await here.get('/projects/1/merge_requests/1')).sha).toBe(sha)
    expect(await hooked.events()).toEqual(['push refs/heads/feature', 'merge_request update'])
    expect(hooked.received[0]?.payload.user_username).toBe('root')
    expect((await here.get('/projects/1')).import_status).toBe('finished')
  })

  test('leaves a diverged branch alone and reports it', async () => {
    const { there, here, url } = await upstream()
    await here.post('/projects', { name: 'copy', import_url: url })
    await here.sandbox.idle()
    const { id: sha } = await here.write('feature', 'here.txt', 'here')
    await there.write('feature', 'there.txt', 'there')
    await here.post('/projects/1/mirror/pull')
    await here.sandbox.idle()
    expect(await here.get('/projects/1')).toMatchObject({
      import_status: 'failed',
      import_error: 'These have diverged from their upstream counterparts and were left alone: feature',
    })
    expect((await here.get('/projects/1/repository/branches/feature')).commit.id).toBe(sha)
  })

  test('needs an address, which an edit sets and clears, and a maintainer', async () => {
    const { here, url } = await upstream()
    const ann = await here.user('ann')
    await here.post('/projects', { name: 'copy' })
    const pull = async (token?: string) => here.call('POST', '/projects/root%2Fcopy/mirror/pull', undefined, token)
    expect([(await pull()).status, (await pull()).body]).toEqual([400, { message: 'The project is not mirrored' }])
    await here.put('/projects/1', { import_url: url })
    await here.post('/projects/1/members', { user_id: ann.id, access_level: 30 })
    expect((await pull(ann.token)).status).toBe(403)
    expect((await pull()).status).toBe(200)
    await here.sandbox.idle()
    expect(await here.get('/projects/1?statistics=true')).toMatchObject({
      import_status: 'finished',
      statistics: { commit_count: 1 },
    })
    await here.put('/projects/1', { import_url: '' })
    expect((await pull()).status).toBe(400)
  })
})

test('housekeeping packs the repository', async ({ withProject: world }) => {
  const packs = async () =>
    (await readdir(join(world.folder, 'repositories', '1.git', 'objects', 'pack'))).filter((name) =>
      name.endsWith('.pack'),
    )
  expect(await packs()).toEqual([])
  expect(await world.answer('POST', '/projects/root%2Fapp/housekeeping')).toEqual([201, { message: '201 Created' }])
  expect(await packs()).toHaveLength(1)
  expect((await world.get('/projects/1?statistics=true')).statistics.commit_count).toBe(1)
})
