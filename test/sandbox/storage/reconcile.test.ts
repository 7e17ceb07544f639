// The start after a process died between git and the records.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Json, listen } from '../sandbox-world.ts'
import { type KeptWorld, openKeptWorld, writes } from './persisted-world.ts'

async function git(repository: string, ...args: string[]): Promise<string> {
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  return (await promisify(execFile)('git', [`--git-dir=${repository}`, ...person, ...args])).stdout.trim()
}

/** A project with a merge request of `feature`; gives the repository's folder. */
async function addProject({ done, folder }: KeptWorld, name: string): Promise<{ id: number; repository: string }> {
  const { id } = await done('POST', '/projects', { name })
  const at = `/projects/${id}`
  await done('POST', `${at}/repository/commits`, writes('master', { 'README.md': 'one\n' }))
  await done('POST', `${at}/repository/commits`, writes('feature', { 'feature.txt': 'new\n' }, 'master'))
  const branches = { source_branch: 'feature', target_branch: 'master' }
  await done('POST', `${at}/merge_requests`, { ...branches, title: 'Add' })
  return { id, repository: join(folder, 'repositories', `${id}.git`) }
}

test('a start announces what git took, merges what waited, restarts forks and removes strays', async () => {
  const world = await openKeptWorld()
  const [pushed, merged, waiting] = [
    await addProject(world, 'pushed'),
    await addProject(world, 'merged'),
    await addProject(world, 'waiting'),
  ]
  const received: Json[] = []
  const url = await listen((_headers, payload) => void received.push(payload))
  const hook = { url, push_events: true, merge_requests_events: true }
  await world.done('POST', `/projects/${pushed.id}/hooks`, hook)
  // The pipeline has succeeded, and nothing retries the merge before the start.
  await world.done('PUT', `/projects/${waiting.id}`, { approvals_before_merge: 1 })
  const wait = { merge_when_pipeline_succeeds: true }
  const { sha } = await world.done('PUT', `/projects/${waiting.id}/merge_requests/1/merge`, wait)
  await world.done('POST', `/projects/${waiting.id}/statuses/${sha}`, { state: 'success' })
  await world.done('PUT', `/projects/${waiting.id}`, { approvals_before_merge: 0 })
  await world.done('POST', '/groups', { name: 'Hotel', path: 'hotel' })
  const fork = await world.done('POST', `/projects/${pushed.id}/fork`, { namespace: 'hotel' })
  await world.sandbox().idle()
  await world.sandbox().within(async ({ projects }) => {
    projects.update(fork.id, { import_status: 'started', known_refs: {} })
  })
  await world.stop()

  const before = await git(pushed.repository, 'rev-parse', 'feature')
  const head = await git(pushed.repository, 'commit-tree', 'feature^{tree}', '-p', 'feature', '-m', 'More')
  await git(pushed.repository, 'update-ref', 'refs/heads/feature', head)
  const parents = ['-p', 'master', '-p', 'feature']
  const merge = await git(merged.repository, 'commit-tree', 'feature^{tree}', ...parents, '-m', 'Merge')
  await git(merged.repository, 'update-ref', 'refs/heads/master', merge)
  await rm(join(world.folder, 'repositories', `${fork.id}.git`), { recursive: true })
  const strays = [join(world.folder, 'repositories', '99.git'), join(world.folder, 'uploads', '99')]
  for (const stray of strays) await mkdir(join(stray, 'inside'), { recursive: true })

  await world.start()
  await world.sandbox().idle()
  const mergeRequest = ({ id }: { id: number }) => world.done('GET', `/projects/${id}/merge_requests/1`)
  expect(await mergeRequest(pushed)).toMatchObject({ sha: head, state: 'opened' })
  expect(received.map((payload) => [payload.object_kind, payload.object_attributes?.oldrev ?? payload.after])).toEqual([
    ['push', head],
    ['merge_request', before],
  ])
  expect(await mergeRequest(merged)).toMatchObject({ state: 'merged', merge_commit_sha: merge })
  expect((await mergeRequest(waiting)).state).toBe('merged')
  expect((await world.done('GET', `/projects/${fork.id}`)).import_status).toBe('finished')
  const branches = await world.done('GET', `/projects/${fork.id}/repository/branches`)
  expect(branches.map(({ name }: Json) => name)).toEqual(['feature', 'master'])
  expect(strays.filter((stray) => existsSync(stray))).toEqual([])

  // The next start announces nothing again.
  await world.stop()
  await world.start()
  await world.sandbox().idle()
  expect(received).toHaveLength(2)
})
