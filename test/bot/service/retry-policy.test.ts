// What an error means for a job and for a call.
import { api } from '../../../src/api/index.ts'
import {
  defaultRetryDelays,
  errorVerdict,
  isPermanentRefusal,
  resultOfError,
} from '../../../src/bot/service/retry-policy.ts'
import { InvalidCallError, type ServiceErrorFacts } from '../../../src/client/errors.ts'
import { JournalUnavailable } from '../../../src/journal/errors.ts'
import { QueueUnavailable } from '../../../src/queue/errors.ts'
import { serviceErrorOf } from '../../client/world.ts'

type Target = ServiceErrorFacts['target']
const accepting: Target = {
  name: 'mergeRequests.accept',
  method: 'PUT',
  means: { 304: 'already', 405: 'not_now', 409: 'moved' },
}

describe('the verdict for a job', () => {
  const verdictOf = (thrown: unknown) => errorVerdict(thrown, defaultRetryDelays)
  test.each<[string, Partial<ServiceErrorFacts>]>([
    ['an unreachable service', { kind: 'unreachable' }],
    ['a time-out', { kind: 'timeout' }],
    ['a gateway without a service behind it', { kind: 'failing', status: 502 }],
    ['a service that says it is away', { kind: 'failing', status: 503 }],
    ['a gateway that waited too long', { kind: 'failing', status: 504 }],
    ['500, which may be of this one request', { kind: 'failing', status: 500 }],
    ['a redirect, as to a page for the time of maintenance', { kind: 'redirected', status: 302 }],
    ['an answer that cannot be read, as such a page', { kind: 'unreadable', status: 200 }],
  ])('%s: the service is checked', (_name, facts) => {
    expect(verdictOf(serviceErrorOf(facts))).toEqual({ do: 'ask', delayMs: 5_000 })
  })

  test('a rate limit and a bad token: the service is left alone', () => {
    expect(verdictOf(serviceErrorOf({ kind: 'rate_limited', status: 429 }))).toMatchObject({
      do: 'pause_calls',
      because: 'rate_limited',
    })
    expect(verdictOf(serviceErrorOf({ status: 401 }))).toMatchObject({ do: 'pause_calls', because: 'token_rejected' })
  })

  test('Retry-After sets the delay', () => {
    for (const facts of [
      { kind: 'rate_limited', status: 429 },
      { kind: 'failing', status: 503 },
    ] as const)
      expect(verdictOf(serviceErrorOf({ ...facts, retryAfterMs: 123_000 }))).toMatchObject({ delayMs: 123_000 })
  })

  test.each([403, 404, 400])('%i: the job fails at once', (status) => {
    expect(verdictOf(serviceErrorOf({ status }))).toEqual({ do: 'give_up' })
  })

  test('an invalid call: the job fails at once', () => {
    expect(verdictOf(new InvalidCallError('projects.get', []))).toEqual({ do: 'give_up' })
  })

  test.each([new QueueUnavailable('unreachable'), new JournalUnavailable('unreachable')])(
    '%s: the job waits for the store',
    (thrown) => {
      expect(verdictOf(thrown)).toEqual({ do: 'wait', delayMs: expect.any(Number) })
    },
  )

  test.each<[string, unknown]>([
    ['a lock that another holds', serviceErrorOf({ status: 423 })],
    ['an error of our own', new TypeError('ours')],
  ])('%s: the job is retried', (_name, thrown) => {
    expect(verdictOf(thrown)).toEqual({ do: 'retry' })
  })
})

test('absent for good is what the service refuses, but never a bad token or an outage', () => {
  expect([403, 404].map((status) => isPermanentRefusal(serviceErrorOf({ status })))).toEqual([true, true])
  expect(isPermanentRefusal(serviceErrorOf({ status: 401 }))).toBe(false)
  expect(isPermanentRefusal(serviceErrorOf({ kind: 'rate_limited', status: 429 }))).toBe(false)
  expect(isPermanentRefusal(serviceErrorOf({ kind: 'failing', status: 500 }))).toBe(false)
  expect(isPermanentRefusal(new Error('404'))).toBe(false)
})

test.each<[string, Partial<ServiceErrorFacts>, string | undefined]>([
  ['409: the evaluated state is gone', { status: 409 }, 'moved'],
  ['405: not now', { status: 405 }, 'not_now'],
  ['403: refused', { status: 403 }, 'refused'],
  ['a lost answer: it may have been applied', { kind: 'timeout', mayHaveBeenApplied: true }, 'ambiguous'],
  ['500: it may have been applied', { kind: 'failing', status: 500, mayHaveBeenApplied: true }, 'ambiguous'],
  ['401 where the token lacks a permission: refused', { status: 401, target: api.mergeRequests.accept }, 'refused'],
  ['401 with a bad token: the job’s to decide', { status: 401 }, undefined],
  ['a rate limit: the job’s to decide', { kind: 'rate_limited', status: 429 }, undefined],
  ['never connected: the job’s to decide', { kind: 'unreachable' }, undefined],
])('the outcome of a failed call %s', (_name, facts, expected) => {
  expect(resultOfError(serviceErrorOf({ target: accepting, ...facts }))).toBe(expected)
})
