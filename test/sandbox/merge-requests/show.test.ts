// A merge request as the API shows it.
import { expect } from 'vitest'
import { openMergeRequest, test } from '../sandbox-world.ts'

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
