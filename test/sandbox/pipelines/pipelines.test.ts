// Commit statuses make pipelines, and pipelines show in merge requests and hooks.
import { overallStatus } from '../../../src/sandbox/pipelines/pipelines.ts'
import { mr, openWorld, test } from '../sandbox-world.ts'

test.each([
  [['success', 'success'], 'success'],
  [['success', 'failed', 'running'], 'failed'],
  [['success', 'running', 'pending'], 'running'],
  [['success', 'pending'], 'pending'],
  [['success', 'canceled'], 'canceled'],
  [['success', 'skipped'], 'success'],
  [['skipped'], 'skipped'],
])('the statuses %o make a pipeline that is %s', (states, overall) => {
  expect(overallStatus(states)).toBe(overall)
})

test('statuses of one commit and branch share a pipeline, which is the head pipeline of the merge request', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  const post = (state: string, name: string) =>
    world.post(`/projects/1/statuses/${sha}`, { state, name, target_url: 'http://ci/', description: 'd' })
  expect(await post('running', 'build')).toMatchObject({
    sha,
    ref: 'feature',
    name: 'build',
    status: 'running',
    author: { id: 1 },
    target_url: 'http://ci/',
  })
  await post('success', 'test')
  expect((await world.get(mr)).head_pipeline).toMatchObject({
    sha,
    ref: 'feature',
    status: 'running',
    source: 'external',
  })
  await post('success', 'build')
  expect((await world.get(mr)).head_pipeline.status).toBe('success')
  expect(await world.get('/projects/1/pipelines')).toHaveLength(1)
})

test('a pipeline has the address of its page, in every form and in its hook', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const hooks = await world.receiver({ pipeline_events: true })
  await world.post(`/projects/1/statuses/${sha}`, { state: 'success', name: 'build' })
  const web_url = `${(await world.get('/projects/1')).web_url}/-/pipelines/1`
  expect((await world.get(mr)).head_pipeline).toMatchObject({ id: 1, web_url })
  expect(await world.get('/projects/1/pipelines/1')).toMatchObject({ web_url })
  for (const of of ['/projects/1', mr]) expect(await world.get(`${of}/pipelines`)).toMatchObject([{ web_url }])
  expect((await hooks.payloads()).at(-1)).toMatchObject({ object_attributes: { url: web_url } })
})

test('a retry takes the place of a failure', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  for (const state of ['failed', 'running', 'success'])
    await world.post(`/projects/1/statuses/${sha}`, { state, name: 'test' })
  expect((await world.get(mr)).head_pipeline.status).toBe('success')
})

test('each status change sends one pipeline hook with its jobs', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const hooks = await world.receiver({ pipeline_events: true })
  for (const [state, name] of [
    ['pending', 'build'],
    ['running', 'build'],
    ['running', 'test'],
    ['success', 'build'],
    ['success', 'test'],
  ]) {
    await world.post(`/projects/1/statuses/${sha}`, { state, name })
  }
  expect(await hooks.events()).toEqual(['pipeline pending', 'pipeline running', 'pipeline success'])
  expect(hooks.received.at(-1)?.payload).toMatchObject({
    object_kind: 'pipeline',
    merge_request: null,
    user: { username: 'root' },
    project: { id: 1, path_with_namespace: 'root/app' },
    commit: { id: sha, author: { name: 'Administrator' } },
    object_attributes: {
      iid: 1,
      ref: 'feature',
      tag: false,
      sha,
      source: 'external',
      status: 'success',
      finished_at: expect.any(String),
    },
    builds: [
      { name: 'build', status: 'success' },
      { name: 'test', status: 'success' },
    ],
  })
})

test('the hook of a tag’s pipeline has `tag`', async ({ withProject: world }) => {
  await world.post('/projects/1/repository/tags', { tag_name: 'v1', ref: 'master' })
  const hooks = await world.receiver({ pipeline_events: true })
  await world.post('/projects/1/statuses/v1', { state: 'success', ref: 'v1' })
  expect((await hooks.payloads())[0].object_attributes).toMatchObject({
    ref: 'v1',
    tag: true,
    detailed_status: 'passed',
  })
})

test('a status for a commit that is not there is 404, an unknown state 400', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  expect(await world.body('POST', `/projects/1/statuses/${'0'.repeat(40)}`, { state: 'success' })).toEqual({
    message: '404 Commit Not Found',
  })
  expect(await world.body('POST', `/projects/1/statuses/${sha}`, { state: 'done' })).toEqual({
    error: 'state does not have a valid value',
  })
})
