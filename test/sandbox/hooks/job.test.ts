// Job hooks: one for each commit status that changes, in the shape of real installations.
import { test } from '../sandbox-world.ts'

test('each status change sends one job hook, before the pipeline hook', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const jobs = await world.receiver({ job_events: true })
  const both = await world.receiver({ job_events: true, pipeline_events: true })
  const post = (body: Record<string, unknown>) => world.post(`/projects/1/statuses/${sha}`, body)
  await post({ name: 'test', state: 'running' })
  await post({ name: 'test', state: 'failed' })
  await post({ name: 'test', state: 'failed', description: 'once more' })
  const retried = await post({ name: 'test', state: 'success' })
  expect(
    (await jobs.payloads()).map((payload) => [
      payload.build_status,
      payload.build_failure_reason,
      payload.retries_count,
    ]),
  ).toEqual([
    ['running', null, 0],
    ['failed', 'unknown_failure', 0],
    ['success', null, 1],
  ])
  expect(jobs.received[0]?.headers['x-gitlab-event']).toBe('Job Hook')
  expect(both.received.map(({ payload }) => payload.object_kind)).toEqual([
    'build',
    'pipeline',
    'build',
    'pipeline',
    'build',
    'pipeline',
  ])
  expect(jobs.received[2]?.payload).toMatchObject({
    object_kind: 'build',
    ref: 'feature',
    tag: false,
    sha,
    build_id: retried.id,
    build_name: 'test',
    build_stage: 'external',
    build_allow_failure: false,
    pipeline_id: retried.pipeline_id,
    project_id: 1,
    project_name: 'Administrator / app',
    user: { id: 1, username: 'root' },
    commit: {
      id: retried.pipeline_id,
      sha,
      status: 'success',
      author_name: 'Administrator',
      author_email: 'admin@example.com',
    },
    project: { id: 1, path_with_namespace: 'root/app' },
    repository: { name: 'app' },
    environment: null,
  })
})
