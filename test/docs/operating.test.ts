// The table of errors in docs/operating.md says what the code does.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Verdict, verdictOf } from '../../src/bot/outcome.ts'
import { InvalidCallError, ServiceError, type ServiceErrorFacts } from '../../src/client/errors.ts'
import { JournalUnavailable } from '../../src/journal/errors.ts'
import { ATTEMPTS, backoffMs, FIRST_BACKOFF_MS } from '../../src/queue/attempts.ts'
import { JOB_OPTIONS } from '../../src/queue/bullmq-store.ts'
import { QueueUnavailable } from '../../src/queue/errors.ts'

const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')

function thrown(facts: Partial<ServiceErrorFacts>): ServiceError {
  return new ServiceError({ kind: 'refused', target: { name: 'x', method: 'GET' }, path: '/x', mayHaveBeenApplied: false, ...facts })
}

const cases: Record<string, unknown[]> = {
  'no connection to the service': [thrown({ kind: 'unreachable' })],
  'no answer in time': [thrown({ kind: 'timeout' })],
  'any 5xx, as 500 or 502': [500, 501, 502, 503, 504, 520].map((status) => thrown({ kind: 'failing', status })),
  '503 with `Retry-After: 120`': [thrown({ kind: 'failing', status: 503, retryAfterMs: 120_000 })],
  '429': [thrown({ kind: 'rate-limited', status: 429 })],
  '429 with `Retry-After: 120`, or `RateLimit-Reset` in 120 s': [thrown({ kind: 'rate-limited', status: 429, retryAfterMs: 120_000 })],
  '401 for the token': [thrown({ status: 401 })],
  '408, 409, 423 or 425': [408, 409, 423, 425].map((status) => thrown({ status })),
  'another 4xx, as 400': [400, 403, 404, 405, 410, 422].map((status) => thrown({ status })),
  'a redirect': [thrown({ kind: 'redirected', status: 302 })],
  'an answer that cannot be read, as a page of HTML': [thrown({ kind: 'unreadable', status: 200 })],
  'the queue or the journal is away': [new QueueUnavailable('x'), new JournalUnavailable('x')],
  'a call that is not of the contract': [new InvalidCallError('x', [])],
  'an error of Bellhop’s own': [new TypeError('x'), 'a thrown text'],
}

function inWords(verdict: Verdict): string {
  switch (verdict.do) {
    case 'give up':
      return 'given up at once'
    case 'retry':
      return 'tried again'
    case 'ask':
      return `the service is asked; away: it is left alone for ${verdict.delayMs / 1000} s; there: tried again`
    case 'leave alone':
      return `the service is left alone for ${verdict.delayMs / 1000} s`
    case 'wait':
      return `the job waits for ${verdict.delayMs / 1000} s`
    default:
      return verdict satisfies never
  }
}

const rows = new Map(
  page
    .slice(page.indexOf('## Errors'), page.indexOf('- **Given up**'))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| what '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, met = '', becomes = '', seen = '']) => [met.replace("'", '’'), { becomes, seen }]),
)

describe('the table of errors', () => {
  test.each(Object.entries(cases))('%s', (met, errors) => {
    expect(errors.map((error) => inWords(verdictOf(error)))).toEqual(errors.map(() => rows.get(met)?.becomes))
    expect(rows.get(met)?.seen).not.toBe('')
  })

  test('has no row besides', () => {
    expect([...rows.keys()].sort()).toEqual(Object.keys(cases).sort())
  })
})

test('how often, how long, and what is kept are as the page says', () => {
  const hours = (chance: number) =>
    Array.from({ length: ATTEMPTS - 1 }, (_, at) => backoffMs(at + 1, FIRST_BACKOFF_MS, chance)).reduce((sum, each) => sum + each, 0) /
    3_600_000
  expect([hours(0), hours(1)].map(Math.round)).toEqual([2, 4])
  expect(page).toContain(`up to ${ATTEMPTS} times: after ${FIRST_BACKOFF_MS / 1000} s, then twice as long each time up to one hour`)
  expect(backoffMs(99, FIRST_BACKOFF_MS, 1)).toBe(3_600_000)
  expect(JOB_OPTIONS.removeOnFail).toEqual({ age: 30 * 24 * 3600, count: 20_000 })
  expect(page).toContain('kept for 30 days (at most 20,000 of each kind)')
})
