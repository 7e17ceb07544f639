// A sandbox with `keep` continues where it ended.
import { readdir } from 'node:fs/promises'
import { listEndpoints } from '../../../src/api/endpoint.ts'
import { api } from '../../../src/api/index.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { type Json, listen } from '../sandbox-world.ts'
import { type KeptWorld, openKeptWorld, writes } from './persisted-world.ts'

/** One of everything: people, a group, projects, a fork, a merge request and what belongs to it. */
async function fill({ done, sandbox }: KeptWorld): Promise<{ token: string }> {
  const ada = await done('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com' })
  const { token } = await done('POST', `/users/${ada.id}/personal_access_tokens`, { name: 'laptop', scopes: ['api'] })
  const group = await done('POST', '/groups', { name: 'Hotel', path: 'hotel' })
  await done('POST', `/groups/${group.id}/members`, { user_id: ada.id, access_level: 40 })
  await done('POST', `/groups/${group.id}/ldap_group_links`, { cn: 'staff', group_access: 30, provider: 'main' })
  await done('POST', '/projects', { name: 'app', approvals_before_merge: 2 })
  await done('POST', '/projects/1/members', { user_id: ada.id, access_level: 30 })
  await done('POST', '/projects/1/repository/commits', writes('master', { 'README.md': 'one\n' }))
  await done('POST', '/projects/1/repository/commits', writes('feature', { 'feature.txt': 'new\n' }, 'master'))
  await done('POST', '/projects/1/repository/branches', { branch: 'stable', ref: 'master' })
  await done('POST', '/projects/1/repository/tags', { tag_name: 'v1', ref: 'master' })
  const milestone = await done('POST', '/projects/1/milestones', { title: 'first' })
  await done('POST', '/projects/1/issues', { title: 'Broken', labels: 'bug' })
  await done('POST', '/projects/1/issues/1/notes', { body: 'really' })
  const mr = {
    source_branch: 'feature',
    target_branch: 'master',
    title: 'Add',
    description: 'Closes #1',
    labels: 'urgent,later',
  }
  await done('POST', '/projects/1/merge_requests', { ...mr, milestone_id: milestone.id })
  const at = '/projects/1/merge_requests/1'
  await done('POST', `${at}/approve`, {}, token)
  await done('POST', `${at}/notes`, { body: 'fine' }, token)
  await done('POST', `${at}/award_emoji`, { name: 'thumbsup' }, token)
  await done('POST', `${at}/todo`)
  await done('POST', `${at}/time_estimate`, { duration: '3h' })
  await done('POST', `${at}/add_spent_time`, { duration: '30m' })
  const { sha } = await done('GET', at)
  await done('POST', `/projects/1/statuses/${sha}`, { state: 'success', ref: 'feature' })
  await done('POST', '/projects/1/hooks', { url: 'http://127.0.0.1:9/hook', token: 'secret' })
  await done('POST', '/projects/1/push_rule', { max_file_size: 5 })
  await done('POST', '/projects/1/share', { group_id: group.id, group_access: 20 })
  await done('POST', '/projects/1/star')
  await done('POST', '/projects/1/wikis', { title: 'Home', content: 'Welcome' })
  const form = new FormData()
  form.append('file', new Blob(['words']), 'words.txt')
  await done('POST', '/projects/1/uploads', form)
  await done('POST', '/projects/1/fork', { namespace: 'hotel' })
  await sandbox().idle()
  return { token }
}

/** What every GET of the contract answers, with the first of everything in its path. */
async function readAll({ call }: KeptWorld, as: string): Promise<Record<string, { status: number; body: Json }>> {
  const byName: Record<string, string> = {
    branch: 'feature',
    tag_name: 'v1',
    file_path: 'README.md',
    sha: 'feature',
    slug: 'home',
  }
  const answers: Record<string, { status: number; body: Json }> = {}
  for (const endpoint of listEndpoints(api).filter(({ method }) => method === 'GET')) {
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => byName[name] ?? '1')
    answers[endpoint.name] = await call(
      'GET',
      `${path}${path.endsWith('/raw') ? '?ref=master' : '?ref=master&scope=all'}`,
      undefined,
      as,
    )
  }
  return answers
}

test('a sandbox with `keep` continues after a restart: answers, numbers, tokens and hooks', async () => {
  const world = await openKeptWorld()
  const { token } = await fill(world)
  const mr = { source_branch: 'feature', target_branch: 'master', title: 'Again' }
  const deleted = await world.done('POST', '/projects/1/merge_requests', { ...mr, target_branch: 'stable' })
  await world.done('DELETE', `/projects/1/merge_requests/${deleted.iid}`)
  const received: Json[] = []
  const url = await listen((_headers, payload) => void received.push(payload))
  await world.done('POST', '/projects/1/hooks', { url, push_events: true })
  // The first call computes merge_status.
  await readAll(world, 'root-token')
  const before = [await readAll(world, 'root-token'), await readAll(world, token)]
  expect(Object.values(before[0] ?? {}).filter(({ status }) => status === 200).length).toBeGreaterThan(45)

  await world.stop()
  await world.start('new-token')
  expect([await readAll(world, 'new-token'), await readAll(world, token)]).toEqual(before)
  expect((await world.call('GET', '/user', undefined, 'root-token')).status).toBe(401)
  expect((await world.done('GET', '/users')).map((user: Json) => user.username).sort()).toEqual(['ada', 'root'])
  await world.done('PUT', '/projects/1/merge_requests/1', { state_event: 'close' })
  expect(await world.done('POST', '/projects/1/merge_requests', mr)).toMatchObject({ id: 3, iid: 3 })
  expect(await world.done('POST', '/projects', { name: 'third' })).toMatchObject({ id: 3 })
  await world.done('POST', '/projects/1/repository/commits', writes('master', { 'a.txt': 'a' }))
  await world.sandbox().idle()
  expect(received.map(({ object_kind, ref }) => [object_kind, ref])).toEqual([['push', 'refs/heads/master']])
})

test('after a failed write every call gets 500; the next start has what was written before', async () => {
  const world = await openKeptWorld()
  await world.done('POST', '/projects', { name: 'app' })
  const second = startSandbox({ rootToken: 't', folder: world.folder, keep: true })
  await expect(second).rejects.toThrow(`The folder ${world.folder} is in use by process ${process.pid}`)
  const impossible = world.sandbox().within(async (inside) => {
    inside.projects.update(1, { name: 'never' })
    inside.counters.update('projects', { value: 1n as never })
  })
  await expect(impossible).rejects.toThrow('The records cannot be written any more')
  expect(await world.call('GET', '/projects/1')).toMatchObject({
    status: 500,
    body: { error: expect.stringContaining('cannot be written') },
  })
  expect((await world.sandbox().failed).message).toContain('cannot be written')
  await world.stop()
  await world.start()
  expect((await world.done('GET', '/projects/1')).name).toBe('app')
  expect((await world.done('POST', '/projects', { name: 'next' })).id).toBe(2)
})

test('a sandbox without `keep` has no database', async () => {
  const { folder } = ownFolder()
  const sandbox = await startSandbox({ rootToken: 't', folder })
  await sandbox.close()
  expect((await readdir(folder)).sort()).toEqual(['repositories', 'uploads'])
})
