import { movePipeline } from '../../../src/sandbox/pipelines/pipelines.ts'
import { runDetached } from '../pipelines/run-pipeline.ts'
import { mr, openWorld, test, type World } from '../sandbox-world.ts'

const waiting = { merge_when_pipeline_succeeds: true }
const state = async (world: World): Promise<string> => {
  await world.idle()
  return (await world.get(mr)).state
}

test('without a pipeline it stays open, and the first one that succeeds merges it', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  expect(await world.put(`${mr}/merge`, waiting)).toMatchObject({
    state: 'opened',
    merge_when_pipeline_succeeds: true,
  })
  await world.report(sha, 'pending')
  expect(await state(world)).toBe('opened')
  await world.report(sha, 'success')
  expect(await state(world)).toBe('merged')
})

test('message, squash and the removal of the branch are remembered', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.write('feature', 'second.txt', 'second')
  const head = (await world.get(mr)).sha
  expect(head).not.toBe(sha)
  const asked = {
    ...waiting,
    sha: head,
    merge_commit_message: 'Later',
    squash: true,
    should_remove_source_branch: true,
  }
  expect(await world.put(`${mr}/merge`, asked)).toMatchObject({
    state: 'opened',
    should_remove_source_branch: true,
    squash: true,
  })
  await world.report(head, 'success')
  const merged = await world.get(mr)
  expect(merged).toMatchObject({
    state: 'merged',
    should_remove_source_branch: true,
    merge_when_pipeline_succeeds: false,
    squash: true,
  })
  expect(await world.status('GET', '/projects/1/repository/branches/feature')).toBe(404)
  const commit = await world.get(`/projects/1/repository/commits/${merged.merge_commit_sha}`)
  expect(commit.title).toBe('Later')
  expect(commit.parent_ids).not.toContain(head)
})

test('accepting without waiting merges at once, with the options of that call', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.report(sha, 'running')
  await world.put(`${mr}/merge`, { ...waiting, should_remove_source_branch: true })
  const merged = await world.put(`${mr}/merge`, { should_remove_source_branch: false })
  expect(merged).toMatchObject({
    state: 'merged',
    merge_when_pipeline_succeeds: false,
    should_remove_source_branch: false,
  })
  expect(await world.status('GET', '/projects/1/repository/branches/feature')).toBe(200)
})

test('a pipeline of another branch with the same head does not count', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.post('/projects/1/repository/branches', { branch: 'same', ref: 'feature' })
  await world.report(sha, 'running')
  await world.put(`${mr}/merge`, waiting)
  await world.post(`/projects/1/statuses/${sha}`, { state: 'success', ref: 'same' })
  expect(await state(world)).toBe('opened')
  await world.report(sha, 'success')
  expect(await state(world)).toBe('merged')
})

test('closed and reopened, it waits no longer', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.put(`${mr}/merge`, waiting)
  await world.put(mr, { state_event: 'close' })
  expect((await world.put(mr, { state_event: 'reopen' })).merge_when_pipeline_succeeds).toBe(false)
  await world.report(sha, 'success')
  expect(await state(world)).toBe('opened')
})

test('a draft delays the merge until it is ready', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.put(`${mr}/merge`, waiting)
  await world.put(mr, { title: 'Draft: not yet' })
  await world.report(sha, 'success')
  expect(await state(world)).toBe('opened')
  await world.put(mr, { title: 'Now' })
  expect(await state(world)).toBe('merged')
})

test('a conflict, or lost rights of the requesting user, prevent the merge', async ({ world }) => {
  const { sha } = await world.mergeRequest({ project: { visibility: 'public' } })
  const dev = await world.member('dev', 30)
  await dev.put(`${mr}/merge`, waiting)
  await world.put(`/projects/1/members/${dev.id}`, { access_level: 20 })
  await world.report(sha, 'success')
  expect(await state(world)).toBe('opened')
  await world.put(`/projects/1/members/${dev.id}`, { access_level: 30 })
  await world.write('master', 'feature.txt', 'theirs')
  await world.post(`/projects/1/statuses/${sha}`, { state: 'success', name: 'again' })
  expect(await state(world)).toBe('opened')
})

const needsApproval = { project: { approvals_before_merge: 1 } }
test.each([
  [false, 'merged'],
  [true, 'opened'],
])('without a pipeline, and with CI in the project (%s), its approval leaves it %s', async (hasCi, expected) => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest(needsApproval)
  if (hasCi) await world.report((await world.get('/projects/1/repository/branches/master')).commit.id, 'success')
  await world.put(`${mr}/merge`, { sha, auto_merge: true })
  expect(await state(world)).toBe('opened')
  await world.post(`${mr}/approve`)
  expect(await state(world)).toBe(expected)
})
test.each([
  [true, 'merged'],
  [false, 'opened'],
])('a skipped pipeline counts as success where the project says so (%s): %s', async (allow, expected) => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest({ project: { allow_merge_on_skipped_pipeline: allow } })
  const { id } = await world.sandbox.within(async (inside) => {
    const found = inside.mergeRequests.get(1)
    if (found === undefined) throw new Error('there is no merge request')
    return runDetached(inside, found, 'running')
  })
  await world.put(`${mr}/merge`, { sha, auto_merge: true })
  await world.sandbox.within((inside) => movePipeline(inside, id, 'skipped'))
  expect(await state(world)).toBe(expected)
})
