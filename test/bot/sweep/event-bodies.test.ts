// The merge request of a pipeline that a list shows.
import { iidOf, pipelineEvent } from '../../../src/bot/sweep/event-bodies.ts'

test.each([
  ['a pipeline of the merge request', 'refs/merge-requests/5/head', 'merge_request_event', 5],
  ['one of its merged result', 'refs/merge-requests/5/merge', 'merge_request_event', 5],
  ['one of a branch that is named so', 'refs/merge-requests/5/x', 'push', undefined],
  ['one of another branch', 'main', 'push', undefined],
  ['one of a branch with that inside', 'x/refs/merge-requests/5/head', 'merge_request_event', undefined],
])('%s', (_what, ref, source, expected) => {
  const pipeline = { id: 1, ref, source, sha: 'a', status: 'success' }
  expect(iidOf(pipeline)).toBe(expected)
  const body = pipelineEvent({ id: 7, path: 'hotel/app', iid: 3 }, pipeline, 0).body({})
  expect(body).toMatchObject({ merge_request: { iid: expected ?? 3, target_project_id: 7 } })
})
