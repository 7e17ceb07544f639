// The start after a process that died between git and the records.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/embedded-postgres/open-database.ts'
import { type Json, listen } from '../sandbox-world.ts'
import { openKeptWorld, writes } from './persisted-world.ts'

async function git(repository: string, ...args: string[]): Promise<string> {
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  return (await promisify(execFile)('git', [`--git-dir=${repository}`, ...person, ...args])).stdout.trim()
}

async function openWithMergeRequest() {
  const world = await openKeptWorld()
  await world.done('POST', '/projects', { name: 'app' })
  await world.done('POST', '/projects/1/repository/commits', writes('master', { 'README.md': 'one\n' }))
  await world.done('POST', '/projects/1/repository/commits', writes('feature', { 'feature.txt': 'new\n' }, 'master'))
  await world.done('POST', '/projects/1/merge_requests', {
    source_branch: 'feature',
    target_branch: 'master',
    title: 'Add',
  })
  return { ...world, repository: join(world.folder, 'repositories', '1.git') }
}

test('a push that git took and nobody was told of is announced: the merge request shows its head, hooks tell of it', async () => {
  const world = await openWithMergeRequest()
  const received: Json[] = []
  const url = await listen((_headers, payload) => void received.push(payload))
  await world.done('POST', '/projects/1/hooks', { url, push_events: true, merge_requests_events: true })
  await world.stop()
  const before = await git(world.repository, 'rev-parse', 'feature')
  const pushed = await git(world.repository, 'commit-tree', 'feature^{tree}', '-p', 'feature', '-m', 'More')
  await git(world.repository, 'update-ref', 'refs/heads/feature', pushed)
  await world.start()
  expect(await world.done('GET', '/projects/1/merge_requests/1')).toMatchObject({ sha: pushed, state: 'opened' })
  await world.sandbox().idle()
  expect(received.map((payload) => [payload.object_kind, payload.object_attributes?.oldrev ?? payload.after])).toEqual([
    ['push', pushed],
    ['merge_request', before],
  ])

  // Told once: the next start has nothing to say.
  await world.stop()
  await world.start()
  await world.sandbox().idle()
  expect(received).toHaveLength(2)
})

test('a merge whose commit reached the target counts as merged', async () => {
  const world = await openWithMergeRequest()
  await world.stop()
  const merge = await git(
    world.repository,
    'commit-tree',
    'feature^{tree}',
    '-p',
    'master',
    '-p',
    'feature',
    '-m',
    'Merge',
  )
  await git(world.repository, 'update-ref', 'refs/heads/master', merge)
  await world.start()
  expect(await world.done('GET', '/projects/1/merge_requests/1')).toMatchObject({
    state: 'merged',
    merge_commit_sha: merge,
  })
})

test('what its pipeline was about to merge is merged', async () => {
  const world = await openWithMergeRequest()
  await world.done('PUT', '/projects/1', { name: 'app', approvals_before_merge: 1 })
  const { sha } = await world.done('PUT', '/projects/1/merge_requests/1/merge', { merge_when_pipeline_succeeds: true })
  await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
  await world.done('PUT', '/projects/1', { name: 'app', approvals_before_merge: 0 })
  await world.stop()
  await world.start()
  await world.sandbox().idle()
  expect((await world.done('GET', '/projects/1/merge_requests/1')).state).toBe('merged')
})

test('a fork that was cut off begins again, and what belongs to no project is swept away', async () => {
  const world = await openWithMergeRequest()
  await world.done('POST', '/groups', { name: 'Hotel', path: 'hotel' })
  const fork = await world.done('POST', '/projects/1/fork', { namespace: 'hotel' })
  await world.sandbox().idle()
  await world.stop()
  const { db, close } = await openDatabase({ directory: join(world.folder, 'records') })
  const cutOff = `UPDATE records SET body = (body::jsonb || '{"import_status":"started","known_refs":{}}')::json`
  expect((await db.query(`${cutOff} WHERE collection = 'projects' AND id = $1`, [String(fork.id)])).affectedRows).toBe(
    1,
  )
  await close()
  await rm(join(world.folder, 'repositories', `${fork.id}.git`), { recursive: true })
  const strays = [join(world.folder, 'repositories', '99.git'), join(world.folder, 'uploads', '99')]
  for (const stray of strays) await mkdir(join(stray, 'inside'), { recursive: true })

  await world.start()
  await world.sandbox().idle()
  expect((await world.done('GET', `/projects/${fork.id}`)).import_status).toBe('finished')
  const branches = await world.done('GET', `/projects/${fork.id}/repository/branches`)
  expect(branches.map(({ name }: Json) => name)).toEqual(['feature', 'master'])
  expect(strays.filter((stray) => existsSync(stray))).toEqual([])
})
