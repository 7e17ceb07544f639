// Accepting merge requests from forks: objects, branch, pipelines, and removed forks.
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { openForkWorld } from './fork-world.ts'

const mr = '/projects/1/merge_requests/1'
const topic = '/projects/2/repository/branches/topic'

test('it is merged into the target, and the fork keeps its branch', async () => {
  const { world, mergeRequest } = await openForkWorld()
  expect(mergeRequest).toMatchObject({ project_id: 1, target_project_id: 1, source_project_id: 2 })
  const merged = await world.put(`${mr}/merge`, { sha: mergeRequest.sha })
  expect(merged).toMatchObject({ state: 'merged', source_project_id: 2 })
  const commit = await world.get(`/projects/1/repository/commits/${merged.merge_commit_sha}`)
  expect(commit.parent_ids[1]).toBe(mergeRequest.sha)
  expect(await world.status('GET', '/projects/1/repository/files/topic.txt?ref=master')).toBe(200)
  await world.sandbox.idle()
  expect(await world.status('GET', topic)).toBe(200)
  expect((await world.get(`${mr}/changes`)).changes).toMatchObject([{ new_path: 'topic.txt' }])
})

test('accept needs Developer in the target, not in the fork', async () => {
  const { world, ann } = await openForkWorld()
  const merger = await world.member('merger', 30)
  expect((await world.call('PUT', `${mr}/merge`, {}, ann.token)).body).toEqual({ message: '401 Unauthorized' })
  expect((await merger.put(`${mr}/merge`, {})).state).toBe('merged')
})

test('its branch is removed, with a hook of the fork, when the merging user may push there', async () => {
  const { world } = await openForkWorld()
  const hooks = await world.receiver({ push_events: true })
  const url = (await world.get(`/projects/1/hooks/${hooks.id}`)).url
  await world.post('/projects/2/hooks', { url, push_events: true })
  await world.put(`${mr}/merge`, { should_remove_source_branch: true })
  await world.sandbox.idle()
  expect(await world.status('GET', topic)).toBe(404)
  expect(hooks.received.map(({ payload }) => [payload.project_id, payload.ref])).toEqual([
    [1, 'refs/heads/master'],
    [2, 'refs/heads/topic'],
  ])
})

test('its branch stays when the merging user may not push there', async () => {
  const { world } = await openForkWorld()
  const merger = await world.member('merger', 30)
  await merger.put(`${mr}/merge`, { should_remove_source_branch: true })
  await world.sandbox.idle()
  expect(await world.status('GET', topic)).toBe(200)
})

test('its branch is removed when the author requested it, no matter who merges', async () => {
  const { world } = await openForkWorld({ mr: { remove_source_branch: true } })
  const merger = await world.member('merger', 30)
  await merger.put(`${mr}/merge`, {})
  await world.sandbox.idle()
  expect(await world.status('GET', topic)).toBe(404)
})

test('pipelines of the fork count for auto-merge and are listed', async () => {
  const { world, mergeRequest, ann } = await openForkWorld({ project: { only_allow_merge_if_pipeline_succeeds: true } })
  const status = (state: string) => world.post(`/projects/2/statuses/${mergeRequest.sha}`, { state }, ann.token)
  await status('running')
  expect((await world.get(mr)).head_pipeline).toMatchObject({
    sha: mergeRequest.sha,
    ref: 'topic',
    status: 'running',
  })
  expect(await world.status('PUT', `${mr}/merge`)).toBe(405)
  await world.put(`${mr}/merge`, { merge_when_pipeline_succeeds: true })
  await status('success')
  await world.sandbox.idle()
  expect((await world.get(mr)).state).toBe('merged')
  expect(await world.get(`${mr}/pipelines`)).toMatchObject([{ sha: mergeRequest.sha, status: 'success' }])
})

test('its pipeline runs in the project where a member asks for it, else in the fork', async () => {
  const { world, ann } = await openForkWorld()
  const script = { branches: '*', kind: 'merge_request', takes: 0, ends: ['success'] } as const
  for (const id of [1, 2]) await world.sandbox.within(async (inside) => scriptPipelines(inside, id, [script]))
  const projects = async (...tokens: (string | undefined)[]) => {
    const made = []
    for (const token of tokens) made.push((await world.post(`${mr}/pipelines`, {}, token)).project_id)
    return made
  }
  expect(await projects(undefined, ann.token)).toEqual([1, 2])
  expect((await world.get(mr)).head_pipeline).toMatchObject({ project_id: 2 })
  expect((await world.call('POST', `${mr}/pipelines`, {}, (await world.user('stranger')).token)).status).toBe(403)
})
