// A merge request as the API shows it.
import { mr, openMergeRequest, test } from '../sandbox-world.ts'

const list = '/projects/1/merge_requests'

test('every field of the page is there, with its type', async () => {
  const world = await openMergeRequest({ mr: { description: 'D' } })
  const [listed] = await world.get(list)
  const person = {
    id: 1,
    username: 'root',
    name: 'Administrator',
    state: 'active',
    avatar_url: null,
    web_url: `${world.url}/root`,
  }
  expect(listed).toEqual({
    id: 1,
    iid: 1,
    project_id: 1,
    source_project_id: 1,
    target_project_id: 1,
    source_branch: 'feature',
    target_branch: 'master',
    title: 'Add the feature',
    description: 'D',
    state: 'opened',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: listed.created_at,
    upvotes: 0,
    downvotes: 0,
    author: person,
    assignee: null,
    assignees: [],
    reviewers: [],
    labels: [],
    work_in_progress: false,
    draft: false,
    blocking_discussions_resolved: true,
    milestone: null,
    merge_when_pipeline_succeeds: false,
    merge_status: 'unchecked',
    detailed_merge_status: 'unchecked',
    subscribed: true,
    sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    merge_commit_sha: null,
    squash_commit_sha: null,
    merged_by: null,
    merge_user: null,
    merged_at: null,
    closed_at: null,
    has_conflicts: false,
    references: { short: '!1', relative: '!1', full: 'root/app!1' },
    task_completion_status: { count: 0, completed_count: 0 },
    user_notes_count: 0,
    changes_count: '1',
    should_remove_source_branch: null,
    force_remove_source_branch: false,
    squash: false,
    squash_on_merge: false,
    web_url: `${world.url}/root/app/-/merge_requests/1`,
    discussion_locked: false,
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    approvals_before_merge: 0,
  })
})

test('the single form has the pipeline under both names, and check boxes are counted', async () => {
  const world = await openMergeRequest({
    mr: { description: '- [x] one\n  1. [ ] two\n* [X] three\n[ ] no list\n- [y] no' },
  })
  const { sha } = await world.get(mr)
  await world.report(sha, 'running')
  const shown = await world.get(mr)
  const [pipeline] = await world.get(`${mr}/pipelines`)
  expect(pipeline).toEqual({
    ...{ id: 1, iid: 1, project_id: 1, sha, ref: 'feature', status: 'running', source: 'external' },
    web_url: `${world.url}/root/app/-/pipelines/1`,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect(pipeline.updated_at > pipeline.created_at).toBe(true)
  expect([shown.head_pipeline, shown.pipeline]).toEqual([pipeline, pipeline])
  expect(shown.task_completion_status).toEqual({ count: 3, completed_count: 2 })
})

test('a merge, a close and a conflict have their fields', async ({ withMergeRequest: world }) => {
  await world.write('other', 'feature.txt', 'something else')
  await world.open('other', 'Another')
  const closed = await world.put(`${list}/2`, { state_event: 'close' })
  expect(closed).toMatchObject({ closed_at: expect.any(String), merged_at: null, merge_user: null })
  expect(await world.put(`${list}/2`, { state_event: 'reopen' })).toMatchObject({ closed_at: null })
  const merged = await world.put(`${mr}/merge`)
  expect(merged).toMatchObject({ merged_by: { id: 1 }, merge_user: { id: 1 }, closed_at: null, has_conflicts: false })
  expect((await world.get(mr)).merged_at).toBe(merged.merged_at)
  expect(merged.merged_at > merged.created_at).toBe(true)
  expect(await world.get(`${list}/2`)).toMatchObject({ has_conflicts: true, detailed_merge_status: 'conflict' })
})

test('who set it to merge is `merge_user`, and nobody has merged it', async ({ withMergeRequest: world }) => {
  await world.report((await world.get(mr)).sha, 'running')
  await world.put(`${mr}/merge`, { auto_merge: true })
  expect(await world.get(mr)).toMatchObject({ merge_user: { id: 1 }, merged_by: null, merged_at: null })
})
