// Diff versions: one for each push, kept when the branches go.
import { join } from 'node:path'
import { type Json, mr, openMergeRequest, test } from '../sandbox-world.ts'

const paths = (changes: Json): string[] => changes.map((change: Json) => change.new_path)

test('opening makes the first, each push another, newest first', async ({ world }) => {
  const { sha, id } = await world.mergeRequest()
  const master = (await world.get('/projects/1/repository/branches/master')).commit.id
  const pushed = await world.write('feature', 'second.txt', 'second')
  const versions = await world.get(`${mr}/versions`)
  expect(versions.map((version: Json) => [version.head_commit_sha, version.real_size])).toEqual([
    [pushed.id, '2'],
    [sha, '1'],
  ])
  expect(versions[1]).toMatchObject({
    base_commit_sha: master,
    start_commit_sha: master,
    merge_request_id: id,
    state: 'collected',
    created_at: expect.any(String),
  })
  expect(await world.get(`${mr}/versions?per_page=1&page=2`)).toMatchObject([{ head_commit_sha: sha }])
})

test('one version has its commits and diffs, the list has not', async ({ withMergeRequest: world }) => {
  await world.write('feature', 'second.txt', 'second\n')
  const [newest, first] = await world.get(`${mr}/versions`)
  expect(newest).not.toHaveProperty('commits')
  const version = await world.get(`${mr}/versions/${newest.id}`)
  expect(version).toMatchObject(newest)
  expect(version.commits.map((commit: Json) => commit.title)).toEqual(['Write second.txt', 'Write feature.txt'])
  expect(version.diffs).toMatchObject([
    { new_path: 'feature.txt', new_file: true },
    { new_path: 'second.txt', new_file: true, a_mode: '0', b_mode: '100644', diff: '@@ -0,0 +1 @@\n+second\n' },
  ])
  expect(paths((await world.get(`${mr}/versions/${first.id}`)).diffs)).toEqual(['feature.txt'])
})

test('commits dropped by a forced push stay in their version', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const clone = await world.clone('root/app')
  await world.git(clone, 'checkout', '--quiet', '-b', 'feature', 'origin/master')
  await world.commit(clone, 'other.txt', 'other')
  await world.git(clone, 'push', '--quiet', '--force', 'origin', 'feature')
  const collected = await world.git(join(world.folder, 'repositories', '1.git'), 'gc', '--quiet', '--prune=now')
  expect(collected.code, collected.output).toBe(0)
  const [newest, first] = await world.get(`${mr}/versions`)
  expect(first.head_commit_sha).toBe(sha)
  expect(paths((await world.get(`${mr}/versions/${newest.id}`)).diffs)).toEqual(['other.txt'])
  expect(paths((await world.get(`${mr}/versions/${first.id}`)).diffs)).toEqual(['feature.txt'])
})

test('a new target makes a version, where it parts from there; the same target again makes none', async () => {
  const world = await openMergeRequest()
  await world.post('/projects/1/repository/branches', { branch: 'release', ref: 'feature' })
  await world.write('feature', 'second.txt', 'second')
  await world.put(mr, { target_branch: 'release' })
  const [newest] = await world.get(`${mr}/versions`)
  expect(newest.real_size).toBe('1')
  const release = (await world.get('/projects/1/repository/branches/release')).commit.id
  expect(newest).toMatchObject({ base_commit_sha: release, start_commit_sha: release })
  await world.put(mr, { title: 'Otherwise', target_branch: 'release' })
  expect(await world.get(`${mr}/versions`)).toHaveLength(3)
})
