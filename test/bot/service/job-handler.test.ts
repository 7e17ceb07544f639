// What all handlers have in common: which errors rest the service's queues, and which are of one job alone.
import { expect, test } from 'vitest'
import { createJobHandler } from '../../../src/bot/service/job-handler.ts'
import { createServiceState } from '../../../src/bot/service/service-state.ts'
import { ServiceError, type ServiceErrorFacts } from '../../../src/client/errors.ts'
import { QueueUnavailable } from '../../../src/queue/errors.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { silent } from '../stores.ts'

playService()

const job = { id: 'a', data: 1, attempt: 1, isFirst: true, addedAt: 0, claim: async () => false }

function thrown(facts: Partial<ServiceErrorFacts>): ServiceError {
  return new ServiceError({
    kind: 'refused',
    target: { name: 'x', method: 'GET' },
    path: '/x',
    mayHaveBeenApplied: false,
    ...facts,
  })
}

function run(error: unknown, restFails?: Error) {
  const rests: number[] = []
  const lane = {
    pauseFor: async (forMs: number) => {
      if (restFails !== undefined) throw restFails
      rests.push(forMs)
    },
  }
  const state = createServiceState({ now: () => 0 })
  const wrap = createJobHandler({ client: makeClient().client, state, calling: [lane, lane], log: silent })
  const result = wrap(async () => {
    throw error
  })(job)
  return { result, rests, state }
}

test('an outcome passes as it is', async () => {
  const wrap = createJobHandler({
    client: makeClient().client,
    state: createServiceState({ now: () => 0 }),
    calling: [],
    log: silent,
  })
  expect(await wrap(async () => ({ outcome: 'done' }))(job)).toEqual({ outcome: 'done' })
})

test('a time-out of one request, while the service answers, is of that job alone', async () => {
  service().get('/user').reply(200, {})
  const error = thrown({ kind: 'timeout' })
  const { result, rests, state } = run(error)
  await expect(result).rejects.toBe(error)
  expect(rests).toEqual([])
  expect(state.condition().is).toBe('fine')
})

test('a time-out while the service answers nothing rests all queues that call it', async () => {
  service().get('/user').times(4).reply(502)
  const { result, rests, state } = run(thrown({ kind: 'timeout' }))
  expect(await result).toMatchObject({ outcome: 'pause', delayMs: 5_000 })
  expect(rests).toEqual([5_000, 5_000])
  expect(state.condition().is).toBe('unreachable')
})

test('what met the last moments of an outage is tried again, and it costs no attempt', async () => {
  const state = createServiceState({ now: () => 0 })
  const failing = async () => {
    throw thrown({ kind: 'failing', status: 502 })
  }
  const wrap = createJobHandler({ client: makeClient().client, state, calling: [], log: silent })
  state.report('unreachable', 5_000, 'it answers 502')
  service().get('/user').reply(200, {})
  expect(await wrap(failing)(job)).toMatchObject({ outcome: 'later', reason: expect.stringContaining('502') })
  // Another job finds out meanwhile that it is over.
  const ended = wrap(async () => {
    state.onRequest({ kind: undefined, status: 200 })
    return failing()
  })
  expect(await ended(job)).toMatchObject({ outcome: 'later' })
  // From then on it is to blame.
  await expect(wrap(failing)(job)).rejects.toMatchObject({ status: 502 })
})

test('a rate limit rests all queues as long as the service wants, and holds the calls', async () => {
  const { result, rests, state } = run(thrown({ kind: 'rate-limited', status: 429, retryAfterMs: 77_000 }))
  expect(await result).toMatchObject({ outcome: 'pause', delayMs: 77_000 })
  expect(rests).toEqual([77_000, 77_000])
  expect(state.heldUntil()).toBe(77_000)
})

test('a bad token rests all queues and fails nothing', async () => {
  const { result, rests, state } = run(thrown({ status: 401 }))
  expect(await result).toMatchObject({ outcome: 'pause' })
  expect(rests).toHaveLength(2)
  expect(state.condition().is).toBe('token_rejected')
})

test('what cannot heal fails with its reason; a store that is away is waited for', async () => {
  expect(await run(thrown({ status: 400, serviceMessage: 'bad' })).result).toEqual({
    outcome: 'failed',
    reason: 'GET /x answered 400: bad',
  })
  expect(await run(new QueueUnavailable('gone')).result).toMatchObject({ outcome: 'later', reason: 'gone' })
})

test('a store that goes away while the queues are to rest costs no attempt: the job itself waits as long', async () => {
  const { result, state } = run(
    thrown({ kind: 'rate-limited', status: 429, retryAfterMs: 77_000 }),
    new QueueUnavailable('gone'),
  )
  expect(await result).toMatchObject({ outcome: 'later', delayMs: 77_000 })
  expect(state.heldUntil()).toBe(77_000)
})

test('any other error of resting the queues is not swallowed', async () => {
  const error = new TypeError('a mistake')
  await expect(run(thrown({ status: 401 }), error).result).rejects.toBe(error)
})
