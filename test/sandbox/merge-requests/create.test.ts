// Creating merge requests.
import { eachCase, openWorld, test } from '../sandbox-world.ts'

const list = '/projects/1/merge_requests'

test('it begins open and unchecked, and reading it finds out whether it can be merged', async ({ world }) => {
  await world.project()
  const ann = await world.member('ann', 30)
  const { id: sha } = await world.write('feature', 'a.txt', 'a')
  const made = await ann.post(list, {
    source_branch: 'feature',
    target_branch: 'master',
    title: 'T',
    description: 'D',
    labels: 'b, a,b',
    assignee_id: 1,
    squash: true,
    remove_source_branch: true,
  })
  expect(made).toMatchObject({
    iid: 1,
    project_id: 1,
    source_project_id: 1,
    target_project_id: 1,
    state: 'opened',
    description: 'D',
    labels: ['a', 'b'],
    author: { username: 'ann' },
    assignee: { username: 'root' },
    squash: true,
    force_remove_source_branch: true,
    should_remove_source_branch: null,
    merge_status: 'unchecked',
    subscribed: true,
    sha,
    merge_commit_sha: null,
    changes_count: '1',
    head_pipeline: null,
    work_in_progress: false,
    web_url: `${world.url}/root/app/-/merge_requests/1`,
  })
  expect(await world.get(`${list}/1`)).toMatchObject({
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
  })
})

test('invalid values are refused by field', async ({ withProject: world }) => {
  await world.write('feature', 'a.txt', 'a')
  await eachCase(
    [
      [{ source_branch: 'none' }, 400, { source_branch: ['does not exist'] }],
      [{ target_branch: 'none' }, 400, { target_branch: ['does not exist'] }],
      [{ source_branch: '--all' }, 400, { source_branch: ['does not exist'] }],
      [
        { target_branch: 'feature' },
        400,
        { branch_conflict: ["You can't use same project/branch for source and target"] },
      ],
      [{ title: '  ' }, 400, { title: ["can't be blank"] }],
      [{ target_project_id: 7 }, 400, { validate_fork: ['Source project is not a fork of the target project'] }],
      [{ milestone_id: 7 }, 400, { milestone_id: ['is invalid'] }],
      [{ labels: `a,${'b'.repeat(256)}` }, 400, { labels: ['is too long (maximum is 255 characters)'] }],
      [{ title: 'x'.repeat(256) }, 400, { title: ['is too long (maximum is 255 characters)'] }],
    ],
    async ([change, status, message]) => {
      const answer = await world.call('POST', list, {
        source_branch: 'feature',
        target_branch: 'master',
        title: 'T',
        ...change,
      })
      expect([answer.status, answer.body.message]).toEqual([status, message])
    },
  )
})

test('a second one for the same branches is 409 and names the first', async ({ withMergeRequest: world }) => {
  const body = { source_branch: 'feature', target_branch: 'master', title: 'Again' }
  expect(await world.answer('POST', list, body)).toEqual([
    409,
    { message: ['Another open merge request already exists for this source branch: !1'] },
  ])
  await world.put(`${list}/1`, { state_event: 'close' })
  expect((await world.post(list, body)).iid).toBe(2)
  expect(await world.status('PUT', `${list}/1`, { state_event: 'reopen' })).toBe(409)
})

test('of several at once one is made', async ({ withProject: world }) => {
  await world.write('feature', 'a.txt', 'a')
  const body = { source_branch: 'feature', target_branch: 'master', title: 'T' }
  const answers = await Promise.all([1, 2, 3].map(() => world.call('POST', list, body)))
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409])
})

test.each([
  [0, 5, 0],
  [2, undefined, 2],
  [2, 1, 2],
  [2, 3, 3],
])('where the project asks for %i approvals and %s are given, it needs %i', async (ofProject, given, wanted) => {
  const world = await openWorld()
  const made = await world.mergeRequest({
    project: { approvals_before_merge: ofProject },
    mr: given === undefined ? {} : { approvals_before_merge: given },
  })
  expect(made.approvals_before_merge).toBe(wanted)
  expect((await world.get(`${list}/1/approvals`)).approvals_required).toBe(wanted)
})

test('the hook `open` has every field that a receiver needs', async ({ withProject: world }) => {
  await world.write('feature', 'a.txt', 'a')
  const hooks = await world.receiver({ merge_requests_events: true })
  const { sha, id } = await world.post(list, {
    source_branch: 'feature',
    target_branch: 'master',
    title: 'Draft: T',
    labels: 'bug',
    assignee_id: 1,
  })
  const payload = (await hooks.payloads())[0]
  const label = { title: 'bug', project_id: 1, type: 'ProjectLabel' }
  expect(payload).toMatchObject({
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: { id: 1, name: 'Administrator', username: 'root', avatar_url: null, email: 'admin@example.com' },
    project: { id: 1, path_with_namespace: 'root/app' },
    repository: { name: 'app' },
    labels: [label],
    assignees: [{ username: 'root' }],
    reviewers: [],
    object_attributes: {
      id,
      iid: 1,
      action: 'open',
      state: 'opened',
      draft: true,
      work_in_progress: true,
      source_branch: 'feature',
      target_branch: 'master',
      source: { id: 1 },
      target: { id: 1 },
      author_id: 1,
      assignee_ids: [1],
      last_commit: { id: sha, title: 'Write a.txt' },
      labels: [label],
      merge_status: 'unchecked',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
    },
  })
  expect(payload.object_attributes).not.toHaveProperty('oldrev')
})

test('an assignee who cannot see it, or does not exist, is ignored', async ({ world }) => {
  const eve = await world.user('eve')
  expect(await world.mergeRequest({ mr: { assignee_id: eve.id } })).toMatchObject({ assignee: null })
  expect(await world.put(`${list}/1`, { assignee_id: 1 })).toMatchObject({ assignee: { id: 1 } })
  // As when it is made: what does not fit changes nothing.
  for (const assignee_id of [eve.id, 99])
    expect(await world.put(`${list}/1`, { assignee_id })).toMatchObject({ assignee: { id: 1 } })
})

test('labels that are not there are made, others are taken as they are', async ({ world }) => {
  const project = await world.project()
  await world.post(`/projects/${project.id}/labels`, { name: 'known', color: '#ff0000' })
  await world.write('feature', 'a.txt', 'a')
  const body = { source_branch: 'feature', target_branch: 'master', title: 'T', labels: ' known,new ,, new' }
  expect((await world.post(list, body)).labels).toEqual(['known', 'new'])
  const labels = await world.get(`/projects/${project.id}/labels`)
  expect(labels.map(({ name, color }: { name: string; color: string }) => [name, color]).sort()).toEqual([
    ['known', '#ff0000'],
    ['new', '#428bca'],
  ])
})
