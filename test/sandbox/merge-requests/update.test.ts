// Updates, closing and reopening, and what the hook says of them.
import { describe, expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'

describe('labels', () => {
  test('labels replaces all, add_labels and remove_labels change some, empty removes all', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    const labels = async (body: unknown) => (await world.done('PUT', mr, body)).labels
    expect(await labels({ labels: 'a,b' })).toEqual(['a', 'b'])
    expect(await labels({ add_labels: 'c, a', remove_labels: 'b' })).toEqual(['a', 'c'])
    expect(await labels({ labels: 'x', add_labels: 'y' })).toEqual(['x', 'y'])
    expect(await labels({ labels: '' })).toEqual([])
  })

  test('added at once by many, none is lost', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((label) => world.done('PUT', mr, { add_labels: label })))
    expect((await world.done('GET', mr)).labels).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('the hook carries them as objects, before and after', async () => {
    const world = await openWorld()
    await world.mergeRequest({ mr: { labels: 'a' } })
    const hooks = await world.receiver({ merge_requests_events: true })
    await world.done('PUT', mr, { add_labels: 'b' })
    await world.sandbox.idle()
    const { labels, changes } = hooks.received[0]?.payload ?? {}
    expect(labels).toMatchObject([{ title: 'a' }, { title: 'b' }])
    expect(changes.labels).toMatchObject({ previous: [{ title: 'a' }], current: [{ title: 'a' }, { title: 'b' }] })
  })
})

test('an update that changes nothing moves nothing and is told to nobody', async () => {
  const world = await openWorld()
  await world.mergeRequest({ mr: { labels: 'a,b', description: 'D' } })
  const before = await world.done('GET', mr)
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.done('PUT', mr, {
    title: 'Add the feature',
    description: 'D',
    labels: 'b,a',
    add_labels: 'a',
    squash: false,
    assignee_id: 0,
  })
  await world.done('PUT', mr, { state_event: 'reopen' })
  await world.sandbox.idle()
  expect(hooks.received).toEqual([])
  expect((await world.done('GET', mr)).updated_at).toBe(before.updated_at)
})

test('fields change, updated_at moves, and the hook says what was before', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const before = await world.done('GET', mr)
  const hooks = await world.receiver({ merge_requests_events: true })
  const after = await world.done('PUT', mr, {
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
  await world.sandbox.idle()
  const payload = hooks.received[0]?.payload
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

test('close and reopen are told as such, and a merged one takes neither', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const hooks = await world.receiver({ merge_requests_events: true })
  expect((await world.done('PUT', mr, { state_event: 'close' })).state).toBe('closed')
  expect((await world.done('PUT', mr, { state_event: 'reopen' })).state).toBe('opened')
  await world.done('PUT', `${mr}/merge`)
  expect((await world.done('PUT', mr, { state_event: 'close' })).state).toBe('merged')
  await world.sandbox.idle()
  expect(hooks.events()).toEqual(['merge_request close', 'merge_request reopen', 'merge_request merge'])
  expect(hooks.received[0]?.payload.changes.state_id).toEqual({ previous: 1, current: 2 })
})

test('a reopened one has the head that its branch has by then', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('PUT', mr, { state_event: 'close' })
  const { id } = await world.write('feature', 'more.txt', 'more')
  expect(await world.done('PUT', mr, { state_event: 'reopen' })).toMatchObject({ sha: id, changes_count: '2' })
})

test('another target branch is checked anew', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.write('other', 'other.txt', 'x')
  expect((await world.call('PUT', mr, { target_branch: 'none' })).body).toEqual({
    message: { target_branch: ['does not exist'] },
  })
  expect(await world.done('PUT', mr, { target_branch: 'other' })).toMatchObject({
    target_branch: 'other',
    merge_status: 'unchecked',
  })
  expect((await world.done('GET', mr)).merge_status).toBe('can_be_merged')
})

test('a target branch that makes it the second open one for its branches is 409; one that is closed may have it', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.write('other', 'other.txt', 'x')
  const second = { source_branch: 'feature', target_branch: 'other', title: 'Second' }
  const { iid } = await world.done('POST', '/projects/1/merge_requests', second)
  const retarget = () => world.call('PUT', `/projects/1/merge_requests/${iid}`, { target_branch: 'master' })
  const refused = await retarget()
  expect([refused.status, refused.body.message]).toEqual([
    409,
    ['Another open merge request already exists for this source branch: !1'],
  ])
  await world.done('PUT', `/projects/1/merge_requests/${iid}`, { state_event: 'close' })
  expect((await retarget()).body.target_branch).toBe('master')
})

test('an update without an attribute is 400, and so is what no attribute takes', async () => {
  const world = await openWorld()
  await world.mergeRequest()
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

test.each([0, '', null])('%o unassigns and takes the milestone away', async (none) => {
  const world = await openWorld()
  await world.mergeRequest({ mr: { assignee_id: 1 } })
  const milestone = await world.done('POST', '/projects/1/milestones', { title: 'One' })
  expect(await world.done('PUT', mr, { milestone_id: milestone.id })).toMatchObject({
    assignee: { id: 1 },
    milestone: { title: 'One' },
  })
  expect(await world.done('PUT', mr, { assignee_id: none, milestone_id: none })).toMatchObject({
    assignee: null,
    milestone: null,
  })
})

test('the hook tells the milestone before and after', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const milestone = await world.done('POST', '/projects/1/milestones', { title: 'One' })
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.done('PUT', mr, { milestone_id: milestone.id })
  await world.done('PUT', mr, { milestone_id: 0 })
  await world.sandbox.idle()
  expect(
    hooks.received.map(({ payload }) => [payload.changes.milestone_id, payload.object_attributes.milestone_id]),
  ).toEqual([
    [{ previous: null, current: milestone.id }, milestone.id],
    [{ previous: milestone.id, current: null }, null],
  ])
})

test('form-encoded updates count, and 0 and empty are values there, too', async () => {
  const world = await openWorld()
  await world.mergeRequest({ mr: { labels: 'a', assignee_id: 1 } })
  const response = await fetch(`${world.sandbox.url}/api/v4${mr}`, {
    method: 'PUT',
    headers: { 'PRIVATE-TOKEN': 'root-token' },
    body: new URLSearchParams({ labels: '', assignee_id: '0', squash: 'true' }),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ labels: [], assignee: null, squash: true })
})

test('closing gives up a merge that waits for its pipeline', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'running', ref: 'feature' })
  await world.done('PUT', `${mr}/merge`, { merge_when_pipeline_succeeds: true, should_remove_source_branch: true })
  const given = { state: 'closed', merge_when_pipeline_succeeds: false, should_remove_source_branch: null }
  expect(await world.done('PUT', mr, { state_event: 'close' })).toMatchObject(given)
  await world.done('POST', `/projects/1/statuses/${sha}`, { state: 'success', ref: 'feature' })
  expect((await world.done('GET', mr)).state).toBe('closed')
})

test('what is merged keeps its state and target, whatever is sent, and may be described still', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.write('other', 'other.txt', 'x')
  await world.done('PUT', `${mr}/merge`)
  expect(await world.done('PUT', mr, { state_event: 'reopen', title: 'Said later' })).toMatchObject({
    state: 'merged',
    title: 'Said later',
  })
  expect((await world.call('PUT', mr, { target_branch: 'other' })).body).toEqual({
    message: { target_branch: ['cannot be changed once merged'] },
  })
})

test('an author who is no member any more describes, closes and reopens, but sorts nothing', async () => {
  const world = await openWorld()
  const [ann, bob] = [await world.user('ann'), await world.user('bob')]
  await world.project({ visibility: 'public' })
  await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 30 })
  await world.write('feature', 'a.txt', 'a')
  const body = { source_branch: 'feature', target_branch: 'master', title: 'T', labels: 'mine' }
  await world.done('POST', '/projects/1/merge_requests', body, ann.token)
  await world.done('DELETE', `/projects/1/members/${ann.id}`)
  expect(await world.done('PUT', mr, { description: 'x', labels: '' }, ann.token)).toMatchObject({
    description: 'x',
    labels: ['mine'],
  })
  expect((await world.done('PUT', mr, { state_event: 'close' }, ann.token)).state).toBe('closed')
  expect((await world.call('PUT', mr, { description: 'x' }, bob.token)).status).toBe(403)
})
