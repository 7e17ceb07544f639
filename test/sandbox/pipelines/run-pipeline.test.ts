// Pipelines of merge requests, of merged results and of parents, as merge requests, lists and hooks show them.
import { movePipeline } from '../../../src/sandbox/pipelines/pipelines.ts'
import type { MergeRequest, PipelineRecord } from '../../../src/sandbox/records/work-records.ts'
import type { World as Inside } from '../../../src/sandbox/storage/world.ts'
import { test, type World } from '../sandbox-world.ts'
import { runChild, runDetached, runMergedResult } from './run-pipeline.ts'

const path = '/projects/1/merge_requests/1'
/** Does something under the project's lock, as a request does. */
const within = <T>(world: World, task: (inside: Inside, mr: MergeRequest) => Promise<T>): Promise<T> =>
  world.sandbox.within((inside) =>
    inside.serialise('project 1', () => task(inside, inside.mergeRequests.first('iid', '1:1') as MergeRequest)),
  )
const move = (world: World, { id }: PipelineRecord, status: string) =>
  within(world, (inside) => movePipeline(inside, id, status))
const status = (world: World, sha: string, state: string) =>
  world.post(`/projects/1/statuses/${sha}`, { state, ref: 'feature' })
const head = async (world: World) => (await world.get(path)).head_pipeline

test('the merge request’s own pipeline is its head pipeline, whichever is newer', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const own = await within(world, (inside, mr) => runDetached(inside, mr, 'running'))
  await status(world, sha, 'success')
  expect(await head(world)).toEqual({
    web_url: expect.stringMatching(/\/root\/app\/-\/pipelines\/\d+$/),
    project_id: 1,
    id: own.id,
    sha,
    ref: 'refs/merge-requests/1/head',
    status: 'running',
    source: 'merge_request_event',
    iid: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const list = await world.get(`${path}/pipelines`)
  expect(list.map(({ source }: PipelineRecord) => source)).toEqual(['external', 'merge_request_event'])
})

test('a merged-result pipeline runs on a commit of its own and counts for that head only', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const merged = await within(world, (inside, mr) => runMergedResult(inside, mr, 'success'))
  expect(await head(world)).toMatchObject({
    id: merged.id,
    sha: merged.sha,
    ref: 'refs/merge-requests/1/merge',
    status: 'success',
  })
  const commit = await world.get(`/projects/1/repository/commits/${merged.sha}`)
  expect(commit.parent_ids).toEqual([expect.not.stringMatching(sha), sha])
  await world.write('feature', 'more.txt', 'more')
  expect(await head(world)).toBeNull()
  expect(await within(world, (inside, mr) => runMergedResult(inside, mr, 'pending'))).not.toHaveProperty(
    'sha',
    merged.sha,
  )
})

test('a child is no head pipeline, and commit statuses belong to the parent', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await status(world, sha, 'running')
  const child = await within(world, async (inside) =>
    runChild(inside, inside.pipelines.all().at(-1) as PipelineRecord, 'success'),
  )
  expect(await head(world)).toMatchObject({ status: 'running', source: 'external' })
  await status(world, sha, 'failed')
  expect(await head(world)).toMatchObject({ status: 'failed', source: 'external' })
  expect(await world.get(`/projects/1/pipelines/${child.id}`)).toMatchObject({
    status: 'success',
    source: 'parent_pipeline',
  })
})

test('hooks name the merge request of its own pipeline, and the parent of a child', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const { received } = await world.receiver({ pipeline_events: true })
  const own = await within(world, (inside, mr) => runMergedResult(inside, mr, 'running'))
  await move(world, own, 'success')
  await within(world, (inside) => runChild(inside, own, 'success'))
  await world.idle()
  const [running, success, child] = received.map(({ payload }) => payload)
  expect(running).toMatchObject({
    object_attributes: { id: own.id, status: 'running', ref: 'feature', sha: own.sha, source: 'merge_request_event' },
    merge_request: { iid: 1, source_branch: 'feature', target_project_id: 1, state: 'opened' },
  })
  expect(success.object_attributes.status).toBe('success')
  expect(child).toMatchObject({
    object_attributes: { source: 'parent_pipeline', sha: own.sha },
    merge_request: null,
    source_pipeline: { pipeline_id: own.id, project: { id: 1 } },
  })
  expect(sha).not.toBe(own.sha)
})

test('auto-merge waits for the merge request’s own pipeline, not for the branch’s or a child’s', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const own = await within(world, (inside, mr) => runMergedResult(inside, mr, 'running'))
  await world.put(`${path}/merge`, { sha, merge_when_pipeline_succeeds: true })
  await status(world, sha, 'success')
  await within(world, (inside) => runChild(inside, own, 'success'))
  expect((await world.get(path)).state).toBe('opened')
  await move(world, own, 'success')
  expect((await world.get(path)).state).toBe('merged')
})
