// What each merge method makes of the branches, and what it wants of them first.
import { mr, openMergeRequest, type World } from '../sandbox-world.ts'

const head = async (world: World, branch = 'master') =>
  (await world.get(`/projects/1/repository/branches/${branch}`)).commit
const openBehind = async (project: Record<string, unknown>) => {
  const world = await openMergeRequest({ project })
  await world.write('master', 'other.txt', 'other')
  return world
}

test.each([
  ['merge', false, { parents: 2, merge_commit_sha: 'head', squash_commit_sha: null }],
  ['merge', true, { parents: 2, merge_commit_sha: 'head', squash_commit_sha: 'second parent' }],
  ['rebase_merge', false, { parents: 2, merge_commit_sha: 'head', squash_commit_sha: null }],
  ['rebase_merge', true, { parents: 2, merge_commit_sha: 'head', squash_commit_sha: 'second parent' }],
  ['ff', false, { parents: 1, merge_commit_sha: null, squash_commit_sha: null }],
  ['ff', true, { parents: 1, merge_commit_sha: null, squash_commit_sha: 'head' }],
])('%s with squash %s lands %o', async (merge_method, squash, expected) => {
  const world = await openMergeRequest({ project: { merge_method } })
  await world.write('feature', 'second.txt', 'second')
  const before = await head(world)
  const { sha } = await world.get(mr)
  const merged = await world.put(`${mr}/merge`, { squash })
  const { id, parent_ids } = await head(world)
  const named = new Map([
    [id, 'head'],
    [parent_ids[1], 'second parent'],
  ])
  expect({
    parents: parent_ids.length,
    merge_commit_sha: named.get(merged.merge_commit_sha) ?? null,
    squash_commit_sha: named.get(merged.squash_commit_sha) ?? null,
  }).toEqual(expected)
  expect(merged).toMatchObject({ state: 'merged', sha })
  expect(id === sha).toBe(merge_method === 'ff' && !squash)
  if (squash && merge_method === 'ff') expect(parent_ids).toEqual([before.id])
  expect(await world.inRepository(1, 'ls-tree', '--name-only', 'master')).toBe('README.md\nfeature.txt\nsecond.txt')
})

test.each(['rebase_merge', 'ff'])('%s wants a source behind its target rebased', async (merge_method) => {
  const world = await openBehind({ merge_method })
  expect(await world.get(mr)).toMatchObject({ merge_status: 'can_be_merged', detailed_merge_status: 'need_rebase' })
  const before = await head(world)
  for (const wait of [false, true])
    expect(await world.status('PUT', `${mr}/merge`, { merge_when_pipeline_succeeds: wait })).toBe(405)
  expect(await head(world)).toEqual(before)
  await world.rebase()
  expect(await world.get(mr)).toMatchObject({ detailed_merge_status: 'mergeable' })
  expect(await world.put(`${mr}/merge`)).toMatchObject({ state: 'merged' })
})

test('a source that falls behind while it waits for its pipeline is not merged', async () => {
  const world = await openMergeRequest({ project: { merge_method: 'ff' } })
  const { sha } = await world.get(mr)
  await world.report(sha, 'running')
  await world.put(`${mr}/merge`, { merge_when_pipeline_succeeds: true })
  await world.write('master', 'other.txt', 'other')
  await world.post(`/projects/1/statuses/${sha}`, { state: 'success', ref: 'feature' })
  await world.idle()
  expect(await world.get(mr)).toMatchObject({ state: 'opened', detailed_merge_status: 'need_rebase' })
})

test.each([
  ['rebase_merge', 2],
  ['ff', 1],
])('with automatic rebase, %s lands rebased commits and leaves the source branch', async (merge_method, parents) => {
  const world = await openBehind({ merge_method, automatic_rebase_enabled: true })
  const { sha, detailed_merge_status } = await world.get(mr)
  expect(detailed_merge_status).toBe('mergeable')
  const before = await head(world)
  expect(await world.put(`${mr}/merge`)).toMatchObject({ state: 'merged', sha })
  const after = await head(world)
  expect(after.parent_ids).toHaveLength(parents)
  expect(after.parent_ids[0]).toBe(before.id)
  expect((await head(world, 'feature')).id).toBe(sha)
  expect(await world.inRepository(1, 'ls-tree', '--name-only', 'master')).toBe('README.md\nfeature.txt\nother.txt')
  expect(await world.inRepository(1, 'branch', '--contains', sha)).toBe('feature')
})

test.each(['merge', 'ff'])('with the fault, a merge by %s lands a wrong tree, once', async (merge_method) => {
  const world = await openMergeRequest({ project: { merge_method } })
  const before = await head(world)
  world.sandbox.faults.merges({ times: 1, do: 'wrong_tree' })
  expect(await world.put(`${mr}/merge`)).toMatchObject({ state: 'merged' })
  const { parent_ids } = await head(world)
  expect(await world.inRepository(1, 'ls-tree', '--name-only', 'master')).toBe(
    'README.md\nfeature.txt\nnot-asked-for.txt',
  )
  expect(parent_ids[0]).toBe(before.id)
  await world.write('feature', 'second.txt', 'second')
  await world.open('feature', 'Second')
  const again = await head(world)
  // A fast-forward wants a rebase first: the head is behind what was landed instead of it.
  if (merge_method === 'ff') await world.put('/projects/1/merge_requests/2/rebase').then(() => world.idle())
  await world.put('/projects/1/merge_requests/2/merge')
  expect((await head(world)).parent_ids[0]).toBe(again.id)
})
