// Updating, closing and reopening merge requests, and their hooks.
import { eachCase, mr, openMergeRequest, test } from '../sandbox-world.ts'

test('labels replaces all, add_labels and remove_labels change some, empty removes all', async () => {
  const world = await openMergeRequest()
  const labels = async (body: unknown) => (await world.put(mr, body)).labels
  expect(await labels({ labels: 'a,b' })).toEqual(['a', 'b'])
  expect(await labels({ add_labels: 'c, a', remove_labels: 'b' })).toEqual(['a', 'c'])
  expect(await labels({ labels: 'x', add_labels: 'y' })).toEqual(['x', 'y'])
  expect(await labels({ labels: '' })).toEqual([])
})

test('labels added at once by many are all kept', async ({ withMergeRequest: world }) => {
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((label) => world.put(mr, { add_labels: label })))
  expect((await world.get(mr)).labels).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('an update without a change keeps updated_at and sends no hook', async () => {
  const world = await openMergeRequest({ mr: { labels: 'a,b', description: 'D' } })
  const before = await world.get(mr)
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.put(mr, {
    title: 'Add the feature',
    description: 'D',
    labels: 'b,a',
    add_labels: 'a',
    squash: false,
    assignee_id: 0,
  })
  await world.put(mr, { state_event: 'reopen' })
  expect(await hooks.payloads()).toEqual([])
  expect((await world.get(mr)).updated_at).toBe(before.updated_at)
})

test('an update moves updated_at and sends a hook with the former values', async ({ withMergeRequest: world }) => {
  const before = await world.get(mr)
  const hooks = await world.receiver({ merge_requests_events: true })
  const after = await world.put(mr, {
    title: 'Draft: T',
    description: 'D',
    assignee_id: 1,
    discussion_locked: true,
  })
  expect(after).toMatchObject({
    title: 'Draft: T',
    work_in_progress: true,
    description: 'D',
    assignee: { id: 1 },
    discussion_locked: true,
  })
  expect(after.updated_at > before.updated_at).toBe(true)
  const payload = (await hooks.payloads())[0]
  expect(payload.object_attributes.action).toBe('update')
  expect(payload.changes).toMatchObject({
    title: { previous: 'Add the feature', current: 'Draft: T' },
    draft: { previous: false, current: true },
    description: { previous: '', current: 'D' },
    assignees: { previous: [], current: [{ username: 'root' }] },
    discussion_locked: { previous: false, current: true },
    updated_at: { previous: before.updated_at },
  })
})

test('close and reopen send their own hooks; a merged merge request ignores both', async () => {
  const world = await openMergeRequest()
  const hooks = await world.receiver({ merge_requests_events: true })
  expect((await world.put(mr, { state_event: 'close' })).state).toBe('closed')
  expect((await world.put(mr, { state_event: 'reopen' })).state).toBe('opened')
  await world.put(`${mr}/merge`)
  expect((await world.put(mr, { state_event: 'close' })).state).toBe('merged')
  expect(await hooks.events()).toEqual(['merge_request close', 'merge_request reopen', 'merge_request merge'])
  expect(hooks.received[0]?.payload.changes.state_id).toEqual({ previous: 1, current: 2 })
})

test('a reopened one has the head that its branch has by then', async ({ withMergeRequest: world }) => {
  await world.put(mr, { state_event: 'close' })
  const { id } = await world.write('feature', 'more.txt', 'more')
  expect(await world.put(mr, { state_event: 'reopen' })).toMatchObject({ sha: id, changes_count: '2' })
})

test('another target branch is checked anew', async ({ withMergeRequest: world }) => {
  await world.write('other', 'other.txt', 'x')
  expect(await world.body('PUT', mr, { target_branch: 'none' })).toEqual({
    message: { target_branch: ['does not exist'] },
  })
  expect(await world.put(mr, { target_branch: 'other' })).toMatchObject({
    target_branch: 'other',
    merge_status: 'unchecked',
  })
  expect((await world.get(mr)).merge_status).toBe('can_be_merged')
})

test('a target branch that makes it the second open one for its branches is 409; one that is closed may have it', async () => {
  const world = await openMergeRequest()
  await world.write('other', 'other.txt', 'x')
  const second = { source_branch: 'feature', target_branch: 'other', title: 'Second' }
  const { iid } = await world.post('/projects/1/merge_requests', second)
  const retarget = () => world.call('PUT', `/projects/1/merge_requests/${iid}`, { target_branch: 'master' })
  const refused = await retarget()
  expect([refused.status, refused.body.message]).toEqual([
    409,
    ['Another open merge request already exists for this source branch: !1'],
  ])
  await world.put(`/projects/1/merge_requests/${iid}`, { state_event: 'close' })
  expect((await retarget()).body.target_branch).toBe('master')
})

test('an update without a parameter, or with an invalid one, is 400', async ({ withMergeRequest: world }) => {
  const error = async (body: unknown) => {
    const answer = await world.call('PUT', mr, body)
    expect(answer.status).toBe(400)
    return answer.body.error ?? answer.body.message
  }
  expect(await error({})).toMatch(/are missing, at least one parameter must be provided$/)
  expect(await error({ unknown: 1 })).toMatch(/are missing, at least one parameter must be provided$/)
  expect(await error({ state_event: 'merge' })).toBe('state_event does not have a valid value')
  expect(await error({ title: '' })).toBe('title is empty')
  expect(await error({ title: '  ' })).toEqual({ title: ["can't be blank"] })
  expect(await error({ milestone_id: 99 })).toEqual({ milestone_id: ['is invalid'] })
  expect(await error({ add_labels: 'x'.repeat(256) })).toEqual({ labels: ['is too long (maximum is 255 characters)'] })
  expect(await error({ target_branch: 'feature' })).toEqual({
    branch_conflict: ["You can't use same project/branch for source and target"],
  })
})

test('0, an empty text and null clear assignee and milestone', async () => {
  const world = await openMergeRequest({ mr: { assignee_id: 1 } })
  const milestone = await world.post('/projects/1/milestones', { title: 'One' })
  await eachCase([0, '', null], async (none) => {
    expect(await world.put(mr, { assignee_id: 1, milestone_id: milestone.id })).toMatchObject({
      assignee: { id: 1 },
      milestone: { title: 'One' },
    })
    expect(await world.put(mr, { assignee_id: none, milestone_id: none })).toMatchObject({
      assignee: null,
      milestone: null,
    })
  })
})

test('a merged merge request keeps state and target, and its title may change', async ({ withMergeRequest: world }) => {
  await world.write('other', 'other.txt', 'x')
  await world.put(`${mr}/merge`)
  expect(await world.put(mr, { state_event: 'reopen', title: 'Said later' })).toMatchObject({
    state: 'merged',
    title: 'Said later',
  })
  expect(await world.body('PUT', mr, { target_branch: 'other' })).toEqual({
    message: { target_branch: ['cannot be changed once merged'] },
  })
})
