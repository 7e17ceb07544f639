// What hangs on a merge request: approvals, subscription, time, commits, changes, and who may.
import { describe, expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'

describe('approvals', () => {
  test('an approval is counted, shown under both names of what is missing, and taken back', async () => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest({ project: { approvals_before_merge: 2 } })
    expect(await world.done('GET', `${mr}/approvals`)).toMatchObject({
      approvals_required: 2,
      approvals_missing: 2,
      approvals_left: 2,
      approved_by: [],
      user_can_approve: true,
    })
    const approved = await world.done('POST', `${mr}/approve`, { sha })
    expect(approved).toMatchObject({ approvals_missing: 1, approvals_left: 1, user_has_approved: true, user_can_approve: false })
    expect(approved.approved_by).toMatchObject([{ user: { id: 1, username: 'root' } }])
    expect(await world.done('POST', `${mr}/unapprove`)).toMatchObject({ approvals_left: 2, user_has_approved: false })
  })

  test('another sha is 409, a second time 401, without one to take back 404', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    const status = async (action: string, body?: unknown) => (await world.call('POST', `${mr}/${action}`, body)).status
    expect(await status('unapprove')).toBe(404)
    expect(await status('approve', { sha: 'f'.repeat(40) })).toBe(409)
    expect(await status('approve')).toBe(201)
    expect(await status('approve')).toBe(401)
  })

  test('below Developer nobody approves: 401', async () => {
    const world = await openWorld()
    await world.mergeRequest({ project: { visibility: 'public' } })
    const ann = await world.user('ann')
    expect((await world.call('POST', `${mr}/approve`, {}, ann.token)).body).toEqual({ message: '401 Unauthorized' })
    expect((await world.done('GET', `${mr}/approvals`, undefined, ann.token)).user_can_approve).toBe(false)
  })

  test('the hook says approval until the requirement is met, then approved, and unapproved when it is lost', async () => {
    const world = await openWorld()
    await world.mergeRequest({ project: { approvals_before_merge: 2 } })
    const ann = await world.user('ann')
    await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 30 })
    const hooks = await world.receiver({ merge_requests_events: true })
    await world.done('POST', `${mr}/approve`)
    await world.done('POST', `${mr}/approve`, undefined, ann.token)
    await world.done('POST', `${mr}/unapprove`, undefined, ann.token)
    await world.done('POST', `${mr}/unapprove`)
    await world.sandbox.idle()
    const actions = ['approval', 'approved', 'unapproved', 'unapproval'].map((action) => `merge_request ${action}`)
    expect(hooks.events()).toEqual(actions)
    expect(hooks.received[1]?.payload.user).toMatchObject({ id: ann.id, username: 'ann' })
  })

  test('where none are required, one is approved at once', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    const hooks = await world.receiver({ merge_requests_events: true })
    await world.done('POST', `${mr}/approve`)
    await world.done('POST', `${mr}/unapprove`)
    await world.sandbox.idle()
    expect(hooks.events()).toEqual(['merge_request approved', 'merge_request unapproved'])
  })

  test('the project is named by its number only', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    const answer = await world.call('GET', '/projects/root%2Fapp/merge_requests/1/approvals')
    expect([answer.status, answer.body]).toEqual([400, { error: 'id is invalid' }])
  })
})

test('subscribing and unsubscribing a second time is 304 without a body', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  const send = async (action: string) => {
    const answer = await world.call('POST', `${mr}/${action}`, undefined, ann.token)
    return [answer.status, answer.body?.subscribed]
  }
  expect(await send('unsubscribe')).toEqual([304, undefined])
  expect(await send('subscribe')).toEqual([201, true])
  expect(await send('subscribe')).toEqual([304, undefined])
  expect((await world.done('GET', mr, undefined, ann.token)).subscribed).toBe(true)
  expect(await send('unsubscribe')).toEqual([201, false])
})

describe('time', () => {
  test('an estimate is set and shown in seconds and in words', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    expect(await world.done('GET', `${mr}/time_stats`)).toEqual({
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    })
    expect(await world.done('POST', `${mr}/time_estimate`, { duration: '3h30m' })).toMatchObject({
      time_estimate: 12_600,
      human_time_estimate: '3h 30m',
    })
    expect((await world.done('GET', mr)).time_stats.time_estimate).toBe(12_600)
  })

  test('what is no duration is 400', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    expect((await world.call('POST', `${mr}/time_estimate`, { duration: 'soon' })).body).toEqual({ error: 'duration is invalid' })
    expect((await world.call('POST', `${mr}/time_estimate`, {})).body).toEqual({ error: 'duration is missing' })
  })

  test('the same estimate again is told to nobody', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    const hooks = await world.receiver({ merge_requests_events: true })
    await world.done('POST', `${mr}/time_estimate`, { duration: '15m' })
    await world.done('POST', `${mr}/time_estimate`, { duration: '15m' })
    await world.sandbox.idle()
    expect(hooks.received.map(({ payload }) => payload.changes.time_estimate)).toEqual([{ previous: 0, current: 900 }])
  })
})

test('commits come newest first, in pages', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.write('feature', 'b.txt', 'b')
  await world.write('feature', 'c.txt', 'c')
  const titles = async (query: string) =>
    (await world.done('GET', `${mr}/commits${query}`)).map((commit: { title: string }) => commit.title)
  expect(await titles('')).toEqual(['Write c.txt', 'Write b.txt', 'Write feature.txt'])
  expect(await titles('?per_page=2&page=2')).toEqual(['Write feature.txt'])
})

test('what is not there is 404, what may not be changed 403', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  expect((await world.call('GET', '/projects/1/merge_requests/9')).body).toEqual({ message: '404 Not found' })
  expect((await world.call('GET', '/projects/9/merge_requests/1')).body).toEqual({ message: '404 Project Not Found' })
  expect((await world.call('GET', mr, undefined, null)).status).toBe(401)
  expect((await world.call('PUT', mr, { title: 'Mine' }, ann.token)).body).toEqual({ message: '403 Forbidden' })
  expect((await world.call('POST', `${mr}/time_estimate`, { duration: '1h' }, ann.token)).status).toBe(403)
  const body = { source_branch: 'feature', target_branch: 'master', title: 'x' }
  expect((await world.call('POST', '/projects/1/merge_requests', body, ann.token)).status).toBe(403)
})
