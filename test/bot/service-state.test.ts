// What is known of the service: trouble begins with what a job met and ends with what the client hears.
import type nock from 'nock'
import { expect, test } from 'vitest'
import { createServiceState, type ServiceCondition } from '../../src/bot/service-state.ts'
import { makeClient, playService, service } from '../client/world.ts'

playService()

function makeState() {
  const changes: ServiceCondition['is'][] = []
  const clock = { now: 1_000_000 }
  const state = createServiceState({ now: () => clock.now, onChange: (condition) => changes.push(condition.is) })
  return { state, changes, clock }
}

test('a rejected token is told of once, outlasts refusals, and ends with the first success', () => {
  const { state, changes, clock } = makeState()
  state.met('token rejected', 30_000, 'GET /user answered 401')
  clock.now += 60_000
  state.met('token rejected', 30_000, 'GET /user answered 401')
  state.heard({ kind: 'refused', status: 401 })
  state.heard({ kind: 'refused', status: 404 })
  expect(state.condition()).toEqual({ is: 'token rejected', since: 1_000_000, reason: 'GET /user answered 401' })
  state.heard({ status: 200 })
  expect(state.condition()).toEqual({ is: 'fine' })
  expect(changes).toEqual(['token rejected', 'fine'])
})

test('an outage ends with any answer of the service itself', () => {
  const { state, changes } = makeState()
  state.met('away', 5_000, 'no answer')
  state.heard({ kind: 'timeout' })
  state.heard({ kind: 'failing', status: 502 })
  expect(state.condition().is).toBe('away')
  state.heard({ kind: 'refused', status: 404 })
  expect(changes).toEqual(['away', 'fine'])
})

test('a limit that is used up holds the calls until its window ends, and a longer one is not shortened', () => {
  const { state, clock } = makeState()
  state.limits({ remaining: 0, resetAt: clock.now + 40_000 })
  state.met('limited', 10_000, '429')
  expect(state.heldUntil()).toBe(clock.now + 40_000)
  expect(state.condition().is).toBe('limited')
  clock.now += 40_000
  expect(state.condition().is).toBe('fine')
})

test('calls that are left, and a window that has ended, hold nothing', () => {
  const { state, clock } = makeState()
  state.limits({ remaining: 1, resetAt: clock.now + 40_000 })
  state.limits({ remaining: 0, resetAt: clock.now - 1 })
  state.limits({ remaining: 0 })
  expect(state.heldUntil()).toBe(0)
})

test.each<[string, number, 'fine' | 'away' | 'token rejected', nock.Body?]>([
  ['an answer', 200, 'fine'],
  ['a refusal', 403, 'fine'],
  ['a rate limit', 429, 'fine'],
  ['a bad token', 401, 'token rejected'],
  ['a gateway without a service behind it', 502, 'away'],
  ['a service without its database', 500, 'away'],
  ['a page for the time of maintenance, by redirect', 302, 'away'],
  ['such a page', 200, 'away', '<html>Back soon</html>'],
])('asked, %s (%i) means: %s', async (_name, status, wanted, body: nock.Body = {}) => {
  service().get('/user').times(4).reply(status, body)
  expect(await makeState().state.ask(makeClient().client)).toBe(wanted)
})

test('twenty who ask at once cost one request, and a second later it is asked anew', async () => {
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
  await Promise.all(Array.from({ length: 20 }, () => state.ask(client)))
  await state.ask(client)
  expect(asked).toBe(1)
  clock.now += 1_001
  await state.ask(client)
  expect(asked).toBe(2)
})
