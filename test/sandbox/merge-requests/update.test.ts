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
  await world.done('PUT', mr, { title: 'Add the feature', description: 'D', labels: 'b,a', add_labels: 'a', squash: false, assignee_id: 0 })
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
  const after = await world.done('PUT', mr, { title: 'Draft: T', description: 'D', assignee_id: 1, discussion_locked: true })
  expect(after).toMatchObject({ title: 'Draft: T', work_in_progress: true, description: 'D', assignee: { id: 1 }, discussion_locked: true })
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
  expect((await world.call('PUT', mr, { target_branch: 'none' })).body).toEqual({ message: { target_branch: ['does not exist'] } })
  expect(await world.done('PUT', mr, { target_branch: 'other' })).toMatchObject({ target_branch: 'other', merge_status: 'unchecked' })
  expect((await world.done('GET', mr)).merge_status).toBe('can_be_merged')
})

test('the author may update without being a member any more than that', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  expect((await world.call('PUT', mr, { description: 'x' }, ann.token)).status).toBe(403)
})
