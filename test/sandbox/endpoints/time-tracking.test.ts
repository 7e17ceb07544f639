// Estimates and time spent: values, rights and hooks (api-v4.md §2.5, §3.4).
import { describe, expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const nothing = { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null }

test('times are seconds and words; both are null in words at zero', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  expect(await world.done('GET', `${mr}/time_stats`)).toEqual(nothing)
  expect(await world.done('POST', `${mr}/time_estimate`, { duration: '3h30m' })).toEqual({
    ...nothing,
    time_estimate: 12_600,
    human_time_estimate: '3h 30m',
  })
  const stats = {
    time_estimate: 12_600,
    human_time_estimate: '3h 30m',
    total_time_spent: 5400,
    human_total_time_spent: '1h 30m',
  }
  expect(await world.done('POST', `${mr}/add_spent_time`, { duration: '1h 30m' })).toEqual(stats)
  expect(await world.done('GET', `${mr}/time_stats`)).toEqual(stats)
  expect((await world.done('GET', mr)).time_stats).toEqual(stats)
  expect((await world.done('GET', '/projects/1/merge_requests'))[0].time_stats).toEqual(stats)
})

test('time spent adds up, and a minus takes some of it back', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const spend = async (duration: string) =>
    (await world.done('POST', `${mr}/add_spent_time`, { duration })).human_total_time_spent
  expect(await spend('1h')).toBe('1h')
  expect(await spend('45m')).toBe('1h 45m')
  expect(await spend('-15m')).toBe('1h 30m')
  expect(await spend('-1h30m')).toBeNull()
})

test('more than was spent cannot be taken back', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('POST', `${mr}/add_spent_time`, { duration: '10m' })
  const answer = await world.call('POST', `${mr}/add_spent_time`, { duration: '-11m' })
  expect([answer.status, answer.body]).toEqual([
    400,
    { message: { base: ['Time to subtract exceeds the total time spent'] } },
  ])
  expect((await world.done('GET', `${mr}/time_stats`)).total_time_spent).toBe(600)
})

test('more than a number can hold is refused', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  expect((await world.call('POST', `${mr}/add_spent_time`, { duration: '9999mo' })).body).toEqual({
    error: 'duration is invalid',
  })
  await world.done('POST', `${mr}/add_spent_time`, { duration: '3000mo' })
  expect((await world.call('POST', `${mr}/add_spent_time`, { duration: '3000mo' })).status).toBe(400)
})

test('resets give zero, each its own', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('POST', `${mr}/time_estimate`, { duration: '1d' })
  await world.done('POST', `${mr}/add_spent_time`, { duration: '1w' })
  expect(await world.done('POST', `${mr}/reset_time_estimate`)).toMatchObject({
    time_estimate: 0,
    human_total_time_spent: '1w',
  })
  expect(await world.done('POST', `${mr}/reset_spent_time`)).toEqual(nothing)
})

test('what is no duration is 400, and so is none', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const refusal = async (action: string, body: unknown) => {
    const answer = await world.call('POST', `${mr}/${action}`, body)
    return `${answer.status} ${answer.body.error}`
  }
  for (const duration of ['soon', '3', '1h and more', '-1h', ' ']) {
    expect(await refusal('time_estimate', { duration })).toBe('400 duration is invalid')
  }
  expect(await refusal('add_spent_time', { duration: '1h-30m' })).toBe('400 duration is invalid')
  for (const action of ['time_estimate', 'add_spent_time'])
    expect(await refusal(action, {})).toBe('400 duration is missing')
})

test('the duration may stand in the query, the body or a form', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  expect((await world.done('POST', `${mr}/add_spent_time?duration=1h%2015m`)).total_time_spent).toBe(4500)
  expect((await world.done('POST', `${mr}/add_spent_time`, { duration: '15m' })).total_time_spent).toBe(5400)
  const form = await fetch(`${world.sandbox.url}/api/v4${mr}/add_spent_time`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': 'root-token' },
    body: new URLSearchParams({ duration: '30m' }),
  })
  expect(await form.json()).toMatchObject({ total_time_spent: 7200, human_total_time_spent: '2h' })
})

test('it is tracked on what is merged, too', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('PUT', `${mr}/merge`)
  expect((await world.done('POST', `${mr}/add_spent_time`, { duration: '1h' })).total_time_spent).toBe(3600)
})

describe('who may', () => {
  test('below Developer nobody changes it, and everybody who sees the merge request reads it', async () => {
    const world = await openWorld()
    await world.mergeRequest({ project: { visibility: 'public' } })
    const ann = await world.user('ann')
    await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 20 })
    for (const action of [
      'time_estimate?duration=1h',
      'reset_time_estimate',
      'add_spent_time?duration=1h',
      'reset_spent_time',
    ]) {
      expect((await world.call('POST', `${mr}/${action}`, undefined, ann.token)).body).toEqual({
        message: '403 Forbidden',
      })
    }
    expect((await world.call('GET', `${mr}/time_stats`, undefined, ann.token)).status).toBe(200)
    expect((await world.call('GET', `${mr}/time_stats`, undefined, null)).status).toBe(401)
  })

  test('a merge request that is not there is 404', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    expect((await world.call('POST', '/projects/1/merge_requests/2/add_spent_time', { duration: '1h' })).status).toBe(
      404,
    )
  })
})

test('each change is told as an update with the time before and after; what changes nothing is told to nobody', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.done('POST', `${mr}/reset_spent_time`)
  await world.done('POST', `${mr}/add_spent_time`, { duration: '0m' })
  await world.done('POST', `${mr}/add_spent_time`, { duration: '1h' })
  await world.done('POST', `${mr}/add_spent_time`, { duration: '-30m' })
  await world.done('POST', `${mr}/time_estimate`, { duration: '15m' })
  await world.done('POST', `${mr}/time_estimate`, { duration: '15m' })
  await world.done('POST', `${mr}/reset_time_estimate`)
  await world.sandbox.idle()
  expect(hooks.events()).toEqual(Array.from({ length: 4 }, () => 'merge_request update'))
  const [spent, back, estimated, reset] = hooks.received.map(({ payload }) => payload)
  expect(spent.changes.total_time_spent).toEqual({ previous: 0, current: 3600 })
  expect(spent.object_attributes).toMatchObject({ total_time_spent: 3600, time_change: 3600, human_time_change: '1h' })
  expect(back.changes.total_time_spent).toEqual({ previous: 3600, current: 1800 })
  expect(back.object_attributes).toMatchObject({ time_change: -1800, human_time_change: '-30m' })
  expect(estimated.changes.time_estimate).toEqual({ previous: 0, current: 900 })
  expect(estimated.object_attributes).toMatchObject({ time_estimate: 900, time_change: 0, human_time_change: null })
  expect(reset.changes.time_estimate).toEqual({ previous: 900, current: 0 })
})
