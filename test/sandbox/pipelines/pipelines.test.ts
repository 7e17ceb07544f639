// Commit statuses make pipelines, and pipelines show in merge requests and hooks.
import { describe, expect, test } from 'vitest'
import { overallStatus } from '../../../src/sandbox/pipelines/pipelines.ts'
import { openWorld } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'

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
    world.done('POST', `/projects/1/statuses/${sha}`, { state, name, target_url: 'http://ci/', description: 'd' })
  expect(await post('running', 'build')).toMatchObject({
    sha,
    ref: 'feature',
    name: 'build',
    status: 'running',
    author: { id: 1 },
    target_url: 'http://ci/',
  })
  await post('success', 'test')
  expect((await world.done('GET', mr)).head_pipeline).toMatchObject({
    sha,
    ref: 'feature',
    status: 'running',
    source: 'external',
  })
  await post('success', 'build')
  expect((await world.done('GET', mr)).head_pipeline.status).toBe('success')
  expect(await world.done('GET', '/projects/1/pipelines')).toHaveLength(1)
})

test('a retry takes the place of a failure', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  for (const state of ['failed', 'running', 'success'])
    await world.done('POST', `/projects/1/statuses/${sha}`, { state, name: 'test' })
  expect((await world.done('GET', mr)).head_pipeline.status).toBe('success')
})

test('after a push the new head has no pipeline, and the list keeps the old one', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
  const { id } = await world.write('feature', 'more.txt', 'more')
  expect((await world.done('GET', mr)).head_pipeline).toBeNull()
  await world.done('POST', `/projects/1/statuses/${id}`, { state: 'pending' })
  const pipelines = await world.done('GET', `${mr}/pipelines`)
  expect(pipelines.map((pipeline: { sha: string; status: string }) => [pipeline.sha, pipeline.status])).toEqual([
    [id, 'pending'],
    [sha, 'success'],
  ])
})

test('lists are filtered by branch, commit and status', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success' })
  await world.done('POST', '/projects/1/statuses/master', { state: 'failed' })
  const refs = async (query: string) =>
    (await world.done('GET', `/projects/1/pipelines?${query}`)).map((pipeline: { ref: string }) => pipeline.ref)
  expect(await refs('')).toEqual(['master', 'feature'])
  expect(await refs('ref=feature')).toEqual(['feature'])
  expect(await refs(`sha=${sha}`)).toEqual(['feature'])
  expect(await refs('status=failed')).toEqual(['master'])
})

describe('hooks', () => {
  test('each change of the pipeline is told once, with its jobs and without a merge request', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    const hooks = await world.receiver({ pipeline_events: true })
    for (const [state, name] of [
      ['pending', 'build'],
      ['running', 'build'],
      ['running', 'test'],
      ['success', 'build'],
      ['success', 'test'],
    ]) {
      await world.done('POST', `/projects/1/statuses/${sha}`, { state, name })
    }
    await world.sandbox.idle()
    expect(hooks.events()).toEqual(['pipeline pending', 'pipeline running', 'pipeline success'])
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

  test('a pipeline of a tag says so', async () => {
    const world = await openWorld()
    await world.project()
    await world.done('POST', '/projects/1/repository/tags', { tag_name: 'v1', ref: 'master' })
    const hooks = await world.receiver({ pipeline_events: true })
    await world.done('POST', '/projects/1/statuses/v1', { state: 'success', ref: 'v1' })
    await world.sandbox.idle()
    expect(hooks.received[0]?.payload.object_attributes).toMatchObject({
      ref: 'v1',
      tag: true,
      detailed_status: 'passed',
    })
  })

  test('a status for a commit that is not there is 404, of a reporter 403', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest()
    const ann = await world.user('ann')
    await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 20 })
    expect((await world.call('POST', `/projects/1/statuses/${'0'.repeat(40)}`, { state: 'success' })).body).toEqual({
      message: '404 Commit Not Found',
    })
    expect((await world.call('POST', `/projects/1/statuses/${sha}`, { state: 'success' }, ann.token)).status).toBe(403)
    expect((await world.call('POST', `/projects/1/statuses/${sha}`, { state: 'done' })).body).toEqual({
      error: 'state does not have a valid value',
    })
  })
})
