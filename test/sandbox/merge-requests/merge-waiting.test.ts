// merge_when_pipeline_succeeds: what waits, what it waits for, and what takes it back (api-v4.md §3.1, §4.2).
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWorld, type World } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const waiting = { merge_when_pipeline_succeeds: true }
const status = (world: World, sha: string, state: string) =>
  world.done('POST', `/projects/1/statuses/${sha}`, { state })
const state = async (world: World): Promise<string> => {
  await world.sandbox.idle()
  return (await world.done('GET', mr)).state
}

test('without a pipeline it stays open, and the first one that succeeds merges it', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  expect(await world.done('PUT', `${mr}/merge`, waiting)).toMatchObject({
    state: 'opened',
    merge_when_pipeline_succeeds: true,
  })
  await status(world, sha, 'pending')
  expect(await state(world)).toBe('opened')
  await status(world, sha, 'success')
  expect(await state(world)).toBe('merged')
})

test('auto_merge asks for the same', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await status(world, sha, 'running')
  expect(await world.done('PUT', `${mr}/merge`, { auto_merge: true })).toMatchObject({
    state: 'opened',
    merge_when_pipeline_succeeds: true,
  })
})

test('message, squash and the removal of the branch are remembered', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await world.write('feature', 'second.txt', 'second')
  const head = (await world.done('GET', mr)).sha
  expect(head).not.toBe(sha)
  const asked = {
    ...waiting,
    sha: head,
    merge_commit_message: 'Later',
    squash: true,
    should_remove_source_branch: true,
  }
  expect(await world.done('PUT', `${mr}/merge`, asked)).toMatchObject({
    state: 'opened',
    should_remove_source_branch: true,
    squash: true,
  })
  await status(world, head, 'success')
  const merged = await world.done('GET', mr)
  expect(merged).toMatchObject({
    state: 'merged',
    should_remove_source_branch: true,
    merge_when_pipeline_succeeds: false,
    squash: true,
  })
  expect((await world.call('GET', '/projects/1/repository/branches/feature')).status).toBe(404)
  const commit = await world.done('GET', `/projects/1/repository/commits/${merged.merge_commit_sha}`)
  expect(commit.title).toBe('Later')
  expect(commit.parent_ids).not.toContain(head)
})

test('accepting now merges what waits, with what is asked now', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await status(world, sha, 'running')
  await world.done('PUT', `${mr}/merge`, { ...waiting, should_remove_source_branch: true })
  const merged = await world.done('PUT', `${mr}/merge`, { should_remove_source_branch: false })
  expect(merged).toMatchObject({
    state: 'merged',
    merge_when_pipeline_succeeds: false,
    should_remove_source_branch: false,
  })
  expect((await world.call('GET', '/projects/1/repository/branches/feature')).status).toBe(200)
})

test('a pipeline of another branch with the same head does not count', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await world.done('POST', '/projects/1/repository/branches', { branch: 'same', ref: 'feature' })
  await status(world, sha, 'running')
  await world.done('PUT', `${mr}/merge`, waiting)
  await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success', ref: 'same' })
  expect(await state(world)).toBe('opened')
  await status(world, sha, 'success')
  expect(await state(world)).toBe('merged')
})

test('a head that was pushed over is not merged, even before that push is announced', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await world.done('PUT', `${mr}/merge`, waiting)
  // Git has taken the push, and nobody was told of it yet.
  const repository = join(world.folder, 'repositories', '1.git')
  const pushed = (await world.git(repository, 'commit-tree', `${sha}^{tree}`, '-p', sha, '-m', 'Later')).output.trim()
  expect((await world.git(repository, 'update-ref', 'refs/heads/feature', pushed)).code).toBe(0)
  await status(world, sha, 'success')
  expect(await state(world)).toBe('opened')
})

describe('what is taken back', () => {
  test('cancelled, the branch is to be removed no longer', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await world.done('PUT', `${mr}/merge`, { ...waiting, should_remove_source_branch: true })
    const cancelled = await world.done('PUT', `${mr}/cancel_merge_when_pipeline_succeeds`)
    expect(cancelled).toMatchObject({
      state: 'opened',
      merge_when_pipeline_succeeds: false,
      should_remove_source_branch: null,
    })
  })

  test('closed and reopened, it waits no longer', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    await world.done('PUT', `${mr}/merge`, waiting)
    await world.done('PUT', mr, { state_event: 'close' })
    expect((await world.done('PUT', mr, { state_event: 'reopen' })).merge_when_pipeline_succeeds).toBe(false)
    await status(world, sha, 'success')
    expect(await state(world)).toBe('opened')
  })

  test('rebased, it waits no longer', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await world.write('master', 'other.txt', 'other')
    await world.done('PUT', `${mr}/merge`, waiting)
    await world.done('PUT', `${mr}/rebase`)
    await world.sandbox.idle()
    expect(await world.done('GET', mr)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false })
  })

  test('deleted, nothing is merged', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    await world.done('PUT', `${mr}/merge`, waiting)
    await world.done('DELETE', mr)
    await status(world, sha, 'success')
    await world.sandbox.idle()
    expect((await world.call('GET', '/projects/1/repository/files/feature.txt?ref=master')).status).toBe(404)
  })
})

describe('what stands in the way when the pipeline has succeeded', () => {
  test('an approval that is missing: it is merged when that comes', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest({ project: { approvals_before_merge: 1 } })
    await world.done('PUT', `${mr}/merge`, waiting)
    await status(world, sha, 'success')
    expect(await state(world)).toBe('opened')
    await world.done('POST', `${mr}/approve`)
    expect(await state(world)).toBe('merged')
  })

  test('a draft: it is merged when it is none any more', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    await world.done('PUT', `${mr}/merge`, waiting)
    await world.done('PUT', mr, { title: 'Draft: not yet' })
    await status(world, sha, 'success')
    expect(await state(world)).toBe('opened')
    await world.done('PUT', mr, { title: 'Now' })
    expect(await state(world)).toBe('merged')
  })

  test('a conflict, and the loss of the right to merge by who asked', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest({ project: { visibility: 'public' } })
    const dev = await world.user('dev')
    await world.done('POST', '/projects/1/members', { user_id: dev.id, access_level: 30 })
    await world.done('PUT', `${mr}/merge`, waiting, dev.token)
    await world.done('PUT', `/projects/1/members/${dev.id}`, { access_level: 20 })
    await status(world, sha, 'success')
    expect(await state(world)).toBe('opened')
    await world.done('PUT', `/projects/1/members/${dev.id}`, { access_level: 30 })
    await world.write('master', 'feature.txt', 'theirs')
    await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success', name: 'again' })
    expect(await state(world)).toBe('opened')
  })
})
