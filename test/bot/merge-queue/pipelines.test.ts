// The pipelines of the queue's branches.
import {
  cancelPipeline,
  failedJob,
  pipelineStatus,
  pipelinesOfBranches,
  retryPipeline,
  startPipeline,
} from '../../../src/bot/merge-queue/pipelines.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { makeRun } from './run-world.ts'

playService()
const { client } = makeClient()
const one = { branch: 'bellhop/queue/main/1', commit: 'a'.repeat(40) }
const two = { branch: 'bellhop/queue/main/2', commit: 'b'.repeat(40) }
const pipeline = (id: number, { branch, commit }: typeof one, more: object = {}) => ({
  ...{ id, ref: branch, sha: commit, status: 'success', source: 'push', web_url: `https://code.example/p/${id}` },
  ...more,
})
const lists = (found: object[], query: Record<string, string> = { ref: one.branch, sha: one.commit }) =>
  service()
    .get('/projects/7/pipelines')
    .query((asked) => Object.entries(query).every(([name, value]) => asked[name] === value))
    .reply(200, found)

test('the first of the commit on the branch counts, and none that another pipeline started', async () => {
  const others = [pipeline(9, one, { source: 'parent_pipeline' }), pipeline(8, two), pipeline(7, one, { ref: 'main' })]
  lists([...others, pipeline(5, one), pipeline(4, one, { status: 'failed' })])
  expect(await pipelinesOfBranches(client, 7, [one])).toEqual([
    { id: 4, status: 'failed', url: 'https://code.example/p/4' },
  ])
})

test('that of an outside CI counts no more once the push has one, and nothing counts once the one before is out of sight', async () => {
  const found = async (known: number, ...listed: object[]) => {
    lists(listed)
    return (await pipelinesOfBranches(client, 7, [{ ...one, pipeline: known }])).map(({ id, status }) => id ?? status)
  }
  const outside = pipeline(3, one, { source: 'external' })
  expect(await found(3, outside)).toEqual([3])
  expect(await found(3, outside, pipeline(4, one))).toEqual([4])
  expect(await found(4, pipeline(6, one), pipeline(5, one))).toEqual(['none'])
})

test('of the first page of all, only one that was found before counts', async () => {
  lists([pipeline(9, one), pipeline(8, two)], { per_page: '100' })
  lists([pipeline(9, one), pipeline(4, one, { status: 'failed' })])
  const counted = await pipelinesOfBranches(client, 7, [{ ...one, pipeline: 4 }, two])
  expect(counted.map(({ id }) => id)).toEqual([4, 8])
})

test.each(['api', 'web', 'trigger', 'schedule', 'security_orchestration_policy', 'something_new'])(
  'one that %s started does not count, where the push has one that failed',
  async (source) => {
    lists([pipeline(9, one, { source }), pipeline(4, one, { status: 'failed' })])
    expect((await pipelinesOfBranches(client, 7, [one])).map(({ id, status }) => [id, status])).toEqual([[4, 'failed']])
  },
)

test.each(['merge_request_event', 'external', undefined])('one that came by %s counts', async (source) => {
  lists([pipeline(9, one, { source })])
  expect((await pipelinesOfBranches(client, 7, [one])).map(({ id }) => id)).toEqual([9])
})

test('of several, one list has most; what it lacks is asked for', async () => {
  lists([pipeline(6, two, { status: 'running' })], { per_page: '100' })
  lists([pipeline(5, one)])
  expect((await pipelinesOfBranches(client, 7, [one, two])).map(({ id, status }) => [id, status])).toEqual([
    [5, 'success'],
    [6, 'running'],
  ])
})

test.each([
  ['canceled', 'failed'],
  ['manual', 'manual'],
  ['waiting_for_callback', 'running'],
  ['a status of tomorrow', 'running'],
  [undefined, 'running'],
])('%s counts as %s', (status, expected) => {
  expect(pipelineStatus(status)).toBe(expected)
})

test('only what has not ended is canceled', async () => {
  const scope = service().post('/projects/7/pipelines/6/cancel').reply(200, pipeline(6, two))
  await cancelPipeline(client, 7, { id: 5, status: 'success' })
  await cancelPipeline(client, 7, { id: 6, status: 'running' })
  expect(scope.isDone()).toBe(true)
})

const job = (id: number, more: object = {}) => ({
  ...{ id, name: 'test', status: 'failed', allow_failure: false, web_url: `https://code.example/j/${id}` },
  ...more,
})

test.each<[string, number, unknown, string | undefined]>([
  ['the first that had to succeed', 200, [job(1, { allow_failure: true }), job(2), job(3)], 'https://code.example/j/2'],
  ['none where only those failed that may', 200, [job(1, { allow_failure: true })], undefined],
  ['none where none is listed', 200, [], undefined],
  ['none where jobs are not shown', 403, { message: '403 Forbidden' }, undefined],
  ['none where the service fails, after one call', 500, {}, undefined],
])('the failed job of a pipeline is %s', async (_what, status, body, url) => {
  const scope = service()
    .get('/projects/7/pipelines/5/jobs')
    .query((asked) => [asked['scope[]']].flat().join() === 'failed')
    .reply(status, body as object)
  expect([await failedJob(client, 7, 5), scope.isDone()]).toEqual([url, true])
})

test.each([
  [201, 9, true],
  [403, undefined, false],
])('where the service answers %i, starting and retrying a pipeline give %j and %j', async (status, id, isRetried) => {
  const { run } = makeRun()
  service().post('/projects/7/pipeline').query(true).reply(status, { id: 9 })
  service().post('/projects/7/pipelines/9/retry').reply(status, { id: 9 })
  expect([await startPipeline(run, 'b'), await retryPipeline(run, 9)]).toEqual([id, isRetried])
})
