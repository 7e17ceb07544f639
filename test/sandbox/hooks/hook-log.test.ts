// What became of a hook's deliveries, and when its failures disable it.
import { createHookLog } from '../../../src/sandbox/hooks/deliveries.ts'

const entry = (result: number | 'failed') => ({
  flag: 'merge_requests_events',
  url: 'http://x/',
  payload: {},
  result,
  seconds: 0,
})

test('the newest delivery comes first, with GitLab’s name of the trigger', () => {
  const log = createHookLog({ disables: true })
  log.add(1, entry(202))
  log.add(1, entry('failed'))
  expect(log.of(1).map(({ trigger, result }) => [trigger, result])).toEqual([
    ['merge_request_hooks', 'failed'],
    ['merge_request_hooks', 202],
  ])
  expect(log.of(2)).toEqual([])
})

test('the fourth failure in a row disables for a minute, the next for two, a success ends it, the fortieth is for good', () => {
  let now = 0
  const log = createHookLog({ disables: true, now: () => now })
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) log.add(1, entry(500))
  }
  fail(3)
  expect(log.health(1).alert_status).toBe('executable')
  fail(1)
  expect(log.health(1)).toEqual({
    alert_status: 'temporarily_disabled',
    disabled_until: new Date(60_000).toISOString(),
  })
  now = 60_000
  expect(log.health(1).alert_status).toBe('executable')
  fail(1)
  expect(log.health(1).disabled_until).toBe(new Date(180_000).toISOString())
  log.add(1, entry(302))
  fail(3)
  expect(log.health(1).alert_status).toBe('executable')
  fail(37)
  now = Number.MAX_SAFE_INTEGER / 1_000
  expect(log.health(1)).toEqual({ alert_status: 'disabled', disabled_until: null })
})

test('installations of one’s own disable nothing', () => {
  const log = createHookLog({ disables: false })
  for (let n = 0; n < 50; n += 1) log.add(1, entry('failed'))
  expect(log.health(1).alert_status).toBe('executable')
})
