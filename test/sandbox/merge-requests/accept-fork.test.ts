// Accepting merge requests from forks: objects, branch, pipelines, and removed forks (api-v4.md §2.4, §3.1).
import { expect, test } from 'vitest'
import type { Gate } from '../../../src/sandbox/start-sandbox.ts'
import { openForkWorld } from './fork-world.ts'

const mr = '/projects/1/merge_requests/1'
const topic = '/projects/2/repository/branches/topic'

test('it is merged into the target, and the fork keeps its branch', async () => {
  const { world, mergeRequest, fork } = await openForkWorld()
  expect(mergeRequest).toMatchObject({ project_id: 1, target_project_id: 1, source_project_id: fork.id })
  const merged = await world.done('PUT', `${mr}/merge`, { sha: mergeRequest.sha })
  expect(merged).toMatchObject({ state: 'merged', source_project_id: fork.id })
  const commit = await world.done('GET', `/projects/1/repository/commits/${merged.merge_commit_sha}`)
  expect(commit.parent_ids[1]).toBe(mergeRequest.sha)
  expect((await world.call('GET', '/projects/1/repository/files/topic.txt?ref=master')).status).toBe(200)
  await world.sandbox.idle()
  expect((await world.call('GET', topic)).status).toBe(200)
  expect((await world.done('GET', `${mr}/changes`)).changes).toMatchObject([{ new_path: 'topic.txt' }])
})

test('who may accept in the target need not be a member of the fork; who owns the fork may not accept', async () => {
  const { world, ann } = await openForkWorld()
  const merger = await world.user('merger')
  await world.done('POST', '/projects/1/members', { user_id: merger.id, access_level: 30 })
  expect((await world.call('PUT', `${mr}/merge`, {}, ann.token)).body).toEqual({ message: '401 Unauthorized' })
  expect((await world.done('PUT', `${mr}/merge`, {}, merger.token)).state).toBe('merged')
})

test('its branch is removed when who merges may push there, and the fork is told', async () => {
  const { world } = await openForkWorld()
  const hooks = await world.receiver({ push_events: true })
  const url = (await world.done('GET', `/projects/1/hooks/${hooks.id}`)).url
  await world.done('POST', '/projects/2/hooks', { url, push_events: true })
  await world.done('PUT', `${mr}/merge`, { should_remove_source_branch: true })
  await world.sandbox.idle()
  expect((await world.call('GET', topic)).status).toBe(404)
  expect(hooks.received.map(({ payload }) => [payload.project_id, payload.ref])).toEqual([
    [1, 'refs/heads/master'],
    [2, 'refs/heads/topic'],
  ])
})

test('its branch stays when who merges may not push there', async () => {
  const { world } = await openForkWorld()
  const merger = await world.user('merger')
  await world.done('POST', '/projects/1/members', { user_id: merger.id, access_level: 30 })
  await world.done('PUT', `${mr}/merge`, { should_remove_source_branch: true }, merger.token)
  await world.sandbox.idle()
  expect((await world.call('GET', topic)).status).toBe(200)
})

test('its branch goes when the author said so, whoever merges', async () => {
  const { world } = await openForkWorld({ mr: { remove_source_branch: true } })
  const merger = await world.user('merger')
  await world.done('POST', '/projects/1/members', { user_id: merger.id, access_level: 30 })
  await world.done('PUT', `${mr}/merge`, {}, merger.token)
  await world.sandbox.idle()
  expect((await world.call('GET', topic)).status).toBe(404)
})

test('a push to the fork just before the merge makes the judged sha wrong', async () => {
  let push: () => Promise<unknown> = async () => undefined
  const gate: Gate = async ({ endpoint }) => {
    if (endpoint === 'mergeRequests.accept') await push()
  }
  const { world, mergeRequest, write } = await openForkWorld({ gate })
  push = () => write('topic', 'late.txt', 'late')
  const answer = await world.call('PUT', `${mr}/merge`, { sha: mergeRequest.sha })
  expect([answer.status, answer.body.message]).toEqual([409, 'SHA does not match HEAD of source branch'])
})

test('pipelines of the fork count: they are listed, and their success merges what waits', async () => {
  const { world, mergeRequest, ann } = await openForkWorld({ project: { only_allow_merge_if_pipeline_succeeds: true } })
  const status = (state: string) => world.done('POST', `/projects/2/statuses/${mergeRequest.sha}`, { state }, ann.token)
  await status('running')
  expect((await world.done('GET', mr)).head_pipeline).toMatchObject({
    sha: mergeRequest.sha,
    ref: 'topic',
    status: 'running',
  })
  expect((await world.call('PUT', `${mr}/merge`)).status).toBe(405)
  await world.done('PUT', `${mr}/merge`, { merge_when_pipeline_succeeds: true })
  await status('success')
  await world.sandbox.idle()
  expect((await world.done('GET', mr)).state).toBe('merged')
  expect(await world.done('GET', `${mr}/pipelines`)).toMatchObject([{ sha: mergeRequest.sha, status: 'success' }])
})

test('when the fork is gone nothing fails: it is closed, shown, and cannot be accepted', async () => {
  const { world } = await openForkWorld()
  await world.done('DELETE', '/projects/2')
  await world.sandbox.idle()
  expect(await world.done('GET', mr)).toMatchObject({ state: 'closed', source_project_id: 2 })
  expect((await world.call('PUT', `${mr}/merge`)).status).toBe(406)
  expect((await world.call('PUT', `${mr}/rebase`)).status).toBe(403)
  expect((await world.call('PUT', mr, { state_event: 'reopen' })).status).toBe(400)
  expect((await world.done('PUT', mr, { title: 'Gone' })).title).toBe('Gone')
  expect((await world.done('POST', `${mr}/add_spent_time`, { duration: '1h' })).total_time_spent).toBe(3600)
  expect(await world.done('GET', `${mr}/commits`)).toHaveLength(1)
  expect((await world.done('GET', `${mr}/changes`)).changes).toMatchObject([{ new_path: 'topic.txt' }])
  expect(await world.done('GET', `${mr}/pipelines`)).toEqual([])
  const [version] = await world.done('GET', `${mr}/versions`)
  expect((await world.done('GET', `${mr}/versions/${version.id}`)).diffs).toMatchObject([{ new_path: 'topic.txt' }])
})
