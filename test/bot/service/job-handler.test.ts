// Which errors pause the queues of the service, and which concern one job only.
import pino from 'pino'
import { withErrors } from '../../../src/bot/service/job-handler.ts'
import { defaultRetryDelays } from '../../../src/bot/service/retry-policy.ts'
import { createServiceState, type ServiceState } from '../../../src/bot/service/service-state.ts'
import { QueueUnavailable } from '../../../src/queue/errors.ts'
import type { JobHandler } from '../../../src/queue/types.ts'
import { playService, service, serviceErrorOf } from '../../client/world.ts'
import { runningJob } from '../stores.ts'
import { type GivenContext, testContext } from '../test-context.ts'

playService()

const job = runningJob(1)

const within = (state: ServiceState, retryDelays = defaultRetryDelays, queues: GivenContext['queues'] = {}) =>
  testContext({ service: { state }, operator: { retryDelays }, queues })

function run(error: unknown, restFails?: Error, retryDelays = defaultRetryDelays) {
  const rests: number[] = []
  const queue = {
    pauseFor: async (forMs: number) => {
      if (restFails !== undefined) throw restFails
      rests.push(forMs)
    },
  } as never
  const state = createServiceState({ now: () => 0 })
  const queues = { mergeRequests: queue, mergeQueues: queue, ruleChanges: queue, sweeps: queue }
  const result = withErrors(within(state, retryDelays, queues), async () => {
    throw error
  })(job)
  return { result, rests, state }
}

test('an outcome is returned as it is', async () => {
  const handler = withErrors(within(createServiceState({ now: () => 0 })), async () => ({ outcome: 'done' }))
  expect(await handler(job)).toEqual({ outcome: 'done' })
})

test('a job that cannot be done is logged with the name of its merge request', async () => {
  const lines: object[] = []
  const context = testContext({
    journal: { mergeRequests: { names: async () => [{ path: 'hotel/app' }] } },
    log: pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) }),
  })
  const handler = withErrors(context, async () => ({ outcome: 'failed', reason: 'it is gone' }))
  await handler(runningJob({ project: 7, iid: 2 }))
  expect(lines).toMatchObject([{ event: 'job_failed', mergeRequest: 'hotel/app!2', reason: 'it is gone' }])
})

test('a timeout while the service is reachable concerns that job only', async () => {
  service().get('/user').reply(200, {})
  const error = serviceErrorOf({ kind: 'timeout' })
  const { result, rests, state } = run(error)
  await expect(result).rejects.toBe(error)
  expect(rests).toEqual([])
  expect(state.condition().is).toBe('fine')
})

test('a timeout while the service is unreachable pauses all queues that call it', async () => {
  service().get('/user').times(4).reply(502)
  const { result, rests, state } = run(serviceErrorOf({ kind: 'timeout' }))
  expect(await result).toMatchObject({ outcome: 'pause', delayMs: 5_000 })
  expect(rests).toEqual([5_000, 5_000, 5_000, 5_000])
  expect(state.condition().is).toBe('unreachable')
})

test('an error at the end of an outage costs no attempt', async () => {
  const state = createServiceState({ now: () => 0 })
  const failing = async () => {
    throw serviceErrorOf({ kind: 'failing', status: 502 })
  }
  const wrap = (handler: JobHandler<number>) => withErrors(within(state), handler)
  state.report('unreachable', 5_000, 'it answers 502')
  service().get('/user').reply(200, {})
  expect(await wrap(failing)(job)).toMatchObject({ outcome: 'later', reason: expect.stringContaining('502') })
  // Another job finds the service reachable meanwhile.
  const ended = wrap(async () => {
    state.onRequest({ kind: undefined, status: 200 })
    return failing()
  })
  expect(await ended(job)).toMatchObject({ outcome: 'later' })
  await expect(wrap(failing)(job)).rejects.toMatchObject({ status: 502 })
})

test('a rate limit pauses all queues for its Retry-After, and holds the calls', async () => {
  const { result, rests, state } = run(serviceErrorOf({ kind: 'rate_limited', status: 429, retryAfterMs: 77_000 }))
  expect(await result).toMatchObject({ outcome: 'pause', delayMs: 77_000 })
  expect(rests).toEqual([77_000, 77_000, 77_000, 77_000])
  expect(state.rateLimitedUntil()).toBe(77_000)
})

test('a rejected token pauses all queues and fails nothing', async () => {
  const { result, rests, state } = run(serviceErrorOf({ status: 401 }))
  expect(await result).toMatchObject({ outcome: 'pause' })
  expect(rests).toHaveLength(4)
  expect(state.condition().is).toBe('token_rejected')
})

test('a permanent error fails with its reason; a job waits for an unreachable store', async () => {
  expect(await run(serviceErrorOf({ status: 400, serviceMessage: 'bad' })).result).toEqual({
    outcome: 'failed',
    reason: 'GET /x answered 400: bad',
  })
  expect(await run(new QueueUnavailable('gone')).result).toMatchObject({ outcome: 'later', reason: 'gone' })
})

test('a store that is unreachable while the queues are paused delays the job instead', async () => {
  const { result, state } = run(
    serviceErrorOf({ kind: 'rate_limited', status: 429, retryAfterMs: 77_000 }),
    new QueueUnavailable('gone'),
  )
  expect(await result).toMatchObject({ outcome: 'later', delayMs: 77_000 })
  expect(state.rateLimitedUntil()).toBe(77_000)
})

test('any other error while the queues are paused is thrown', async () => {
  const error = new TypeError('a mistake')
  await expect(run(serviceErrorOf({ status: 401 }), error).result).rejects.toBe(error)
})
