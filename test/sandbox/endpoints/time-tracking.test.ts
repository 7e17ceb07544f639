// Estimates and time spent: values, rights and hooks.
import { mr, test } from '../sandbox-world.ts'

const nothing = { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null }

test('times are seconds and words; both are null in words at zero', async ({ withMergeRequest: world }) => {
  expect(await world.get(`${mr}/time_stats`)).toEqual(nothing)
  expect(await world.post(`${mr}/time_estimate`, { duration: '3h30m' })).toEqual({
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
  expect(await world.post(`${mr}/add_spent_time`, { duration: '1h 30m' })).toEqual(stats)
  expect(await world.get(`${mr}/time_stats`)).toEqual(stats)
  expect((await world.get(mr)).time_stats).toEqual(stats)
  expect((await world.get('/projects/1/merge_requests'))[0].time_stats).toEqual(stats)
})

test('more than was spent cannot be taken back', async ({ withMergeRequest: world }) => {
  await world.post(`${mr}/add_spent_time`, { duration: '10m' })
  expect(await world.answer('POST', `${mr}/add_spent_time`, { duration: '-11m' })).toEqual([
    400,
    { message: { base: ['Time to subtract exceeds the total time spent'] } },
  ])
  expect((await world.get(`${mr}/time_stats`)).total_time_spent).toBe(600)
})

test('resets give zero, each its own', async ({ withMergeRequest: world }) => {
  await world.post(`${mr}/time_estimate`, { duration: '1d' })
  await world.post(`${mr}/add_spent_time`, { duration: '1w' })
  expect(await world.post(`${mr}/reset_time_estimate`)).toMatchObject({
    time_estimate: 0,
    human_total_time_spent: '1w',
  })
  expect(await world.post(`${mr}/reset_spent_time`)).toEqual(nothing)
})

test('an invalid or missing duration is 400', async ({ withMergeRequest: world }) => {
  for (const action of ['time_estimate', 'add_spent_time']) {
    expect(await world.body('POST', `${mr}/${action}`, { duration: 'soon' })).toEqual({ error: 'duration is invalid' })
    expect(await world.body('POST', `${mr}/${action}`, {})).toEqual({ error: 'duration is missing' })
  }
})

test('each change sends an update hook with both values; no change sends none', async ({ withMergeRequest: world }) => {
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.post(`${mr}/reset_spent_time`)
  await world.post(`${mr}/add_spent_time`, { duration: '0m' })
  await world.post(`${mr}/add_spent_time`, { duration: '1h' })
  await world.post(`${mr}/add_spent_time`, { duration: '-30m' })
  await world.post(`${mr}/time_estimate`, { duration: '15m' })
  await world.post(`${mr}/time_estimate`, { duration: '15m' })
  await world.post(`${mr}/reset_time_estimate`)
  expect(await hooks.events()).toEqual(Array.from({ length: 4 }, () => 'merge_request update'))
  const [spent, back, estimated, reset] = hooks.received.map(({ payload }) => payload)
  expect(spent.changes.total_time_spent).toEqual({ previous: 0, current: 3600 })
  expect(spent.object_attributes).toMatchObject({ total_time_spent: 3600, time_change: 3600, human_time_change: '1h' })
  expect(back.changes.total_time_spent).toEqual({ previous: 3600, current: 1800 })
  expect(back.object_attributes).toMatchObject({ time_change: -1800, human_time_change: '-30m' })
  expect(estimated.changes.time_estimate).toEqual({ previous: 0, current: 900 })
  expect(estimated.object_attributes).toMatchObject({ time_estimate: 900, time_change: 0, human_time_change: null })
  expect(reset.changes.time_estimate).toEqual({ previous: 900, current: 0 })
})
