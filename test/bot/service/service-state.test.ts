// The state of the service: a job reports a problem, and a response of the service ends it.
import type nock from 'nock'
import { createServiceState, type ServiceCondition } from '../../../src/bot/service/service-state.ts'
import { makeClient, playService, service } from '../../client/world.ts'

playService()

function makeState() {
  const changes: ServiceCondition['is'][] = []
  const clock = { now: 1_000_000 }
  const state = createServiceState({ now: () => clock.now, onChange: (condition) => changes.push(condition.is) })
  return { state, changes, clock }
}

test('a rejected token is reported once, and ends with the first success', () => {
  const { state, changes, clock } = makeState()
  state.report('token_rejected', 30_000, 'GET /user answered 401')
  clock.now += 60_000
  state.report('token_rejected', 30_000, 'GET /user answered 401')
  state.onRequest({ kind: 'refused', status: 401 })
  state.onRequest({ kind: 'refused', status: 404 })
  expect(state.condition()).toEqual({ is: 'token_rejected', since: 1_000_000, reason: 'GET /user answered 401' })
  state.onRequest({ status: 200 })
  expect(state.condition()).toEqual({ is: 'fine' })
  expect(changes).toEqual(['token_rejected', 'fine'])
})

test('an outage ends with any answer of the service itself', () => {
  const { state, changes } = makeState()
  state.report('unreachable', 5_000, 'no answer')
  state.onRequest({ kind: 'timeout' })
  state.onRequest({ kind: 'failing', status: 502 })
  expect(state.condition().is).toBe('unreachable')
  state.onRequest({ kind: 'refused', status: 404 })
  expect(changes).toEqual(['unreachable', 'fine'])
})

test('a used-up rate limit holds the calls until its window ends, and is never shortened', () => {
  const { state, clock } = makeState()
  state.onLimits({ remaining: 0, resetAt: clock.now + 40_000 })
  state.report('rate_limited', 10_000, '429')
  expect(state.rateLimitedUntil()).toBe(clock.now + 40_000)
  expect(state.condition().is).toBe('rate_limited')
  clock.now += 40_000
  expect(state.condition().is).toBe('fine')
})

test('a rate limit with calls left, or of an ended window, holds nothing', () => {
  const { state, clock } = makeState()
  state.onLimits({ remaining: 1, resetAt: clock.now + 40_000 })
  state.onLimits({ remaining: 0, resetAt: clock.now - 1 })
  state.onLimits({ remaining: 0 })
  expect(state.rateLimitedUntil()).toBe(0)
})

test.each<[string, number, 'fine' | 'unreachable' | 'token_rejected', nock.Body?]>([
  ['an answer', 200, 'fine'],
  ['a refusal', 403, 'fine'],
  ['a rate limit', 429, 'fine'],
  ['a bad token', 401, 'token_rejected'],
  ['a gateway without a service behind it', 502, 'unreachable'],
  ['a service without its database', 500, 'unreachable'],
  ['a page for the time of maintenance, by redirect', 302, 'unreachable'],
  ['such a page', 200, 'unreachable', '<html>Back soon</html>'],
])('%s (%i) to the check means: %s', async (_name, status, expected, body: nock.Body = {}) => {
  service().get('/user').times(4).reply(status, body)
  expect(await makeState().state.check(makeClient().client)).toBe(expected)
})

test('twenty concurrent checks cost one request, and a check a second later another', async () => {
  const { state, clock } = makeState()
  let asked = 0
  service()
    .get('/user')
    .times(3)
    .reply(() => {
      asked += 1
      return [200, {}]
    })
  const { client } = makeClient()
  await Promise.all(Array.from({ length: 20 }, () => state.check(client)))
  await state.check(client)
  expect(asked).toBe(1)
  clock.now += 1_001
  await state.check(client)
  expect(asked).toBe(2)
})
