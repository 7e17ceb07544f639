// docs/operating.md: its table of errors is what the code does.
import { defaultRetryDelays, type ErrorVerdict, errorVerdict } from '../../src/bot/service/retry-policy.ts'
import { InvalidCallError, ServiceError, type ServiceErrorFacts } from '../../src/client/errors.ts'
import { JournalUnavailable } from '../../src/journal/errors.ts'
import { ATTEMPTS, backoffMs, FIRST_BACKOFF_MS } from '../../src/queue/bullmq/attempts.ts'
import { JOB_OPTIONS, KEPT_JOBS } from '../../src/queue/bullmq/backend.ts'
import { QueueUnavailable } from '../../src/queue/errors.ts'
import { readPage } from './pages.ts'

const page = readPage('operating.md')

function thrown(facts: Partial<ServiceErrorFacts>): ServiceError {
  return new ServiceError({
    kind: 'refused',
    target: { name: 'x', method: 'GET' },
    path: '/x',
    mayHaveBeenApplied: false,
    ...facts,
  })
}

const cases: Record<string, unknown[]> = {
  'no connection to the service': [thrown({ kind: 'unreachable' })],
  'no response in time': [thrown({ kind: 'timeout' })],
  'any 5xx, as 500 or 502': [500, 501, 502, 503, 504, 520].map((status) => thrown({ kind: 'failing', status })),
  '503 with `Retry-After: 120`': [thrown({ kind: 'failing', status: 503, retryAfterMs: 120_000 })],
  '429': [thrown({ kind: 'rate_limited', status: 429 })],
  '429 with `Retry-After: 120`, or `RateLimit-Reset` in 120 s': [
    thrown({ kind: 'rate_limited', status: 429, retryAfterMs: 120_000 }),
  ],
  '401 for the token': [thrown({ status: 401 })],
  '408, 409, 423 or 425': [408, 409, 423, 425].map((status) => thrown({ status })),
  'another 4xx, as 400': [400, 403, 404, 405, 410, 422].map((status) => thrown({ status })),
  'a redirect': [thrown({ kind: 'redirected', status: 302 })],
  'an unreadable response, as a page of HTML': [thrown({ kind: 'unreadable', status: 200 })],
  'queue unavailable': [new QueueUnavailable('x')],
  'journal unavailable': [new JournalUnavailable('x')],
  'a call that violates the API contract': [new InvalidCallError('x', [])],
  'an error of Bellhop’s own': [new TypeError('x'), 'a thrown text'],
}

function inWords(verdict: ErrorVerdict): string {
  switch (verdict.do) {
    case 'give_up':
      return 'fails at once'
    case 'retry':
      return 'retry'
    case 'ask':
      return `service is checked; pause for ${verdict.delayMs / 1000} s if down, else retry`
    case 'pause_calls':
      return `pause for ${verdict.delayMs / 1000} s`
    case 'wait':
      return `the job waits for ${verdict.delayMs / 1000} s`
    default:
      return verdict satisfies never
  }
}

const rows = new Map(
  page
    .slice(page.indexOf('## Errors'), page.indexOf('- **Fails at once**'))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| error '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, met = '', becomes = '', seen = '']) => [met.replace("'", '’'), { becomes, seen }]),
)

test('the table of errors says what becomes of each', () => {
  const done = Object.entries(cases).map(([met, errors]) => [
    met,
    [...new Set(errors.map((error) => inWords(errorVerdict(error, defaultRetryDelays))))].join(' or '),
  ])
  expect(Object.fromEntries([...rows].map(([met, { becomes }]) => [met, becomes]))).toEqual(Object.fromEntries(done))
  expect([...rows].filter(([, { seen }]) => seen === '')).toEqual([])
})

test('attempts, delays and retention are those of the page', () => {
  const hours = (chance: number) =>
    Array.from({ length: ATTEMPTS - 1 }, (_, at) => backoffMs(at + 1, FIRST_BACKOFF_MS, chance)).reduce(
      (sum, each) => sum + each,
      0,
    ) / 3_600_000
  expect([hours(0), hours(1)].map(Math.round)).toEqual([2, 4])
  expect(page).toContain(
    `up to ${ATTEMPTS} attempts: after ${FIRST_BACKOFF_MS / 1000} s, then twice as long each time up to one hour`,
  )
  expect(backoffMs(99, FIRST_BACKOFF_MS, 1)).toBe(3_600_000)
  expect(JOB_OPTIONS.removeOnFail).toEqual({ age: 30 * 24 * 3600 })
  expect(KEPT_JOBS.failed).toBe(20_000)
  expect(page).toContain('kept for 30 days (at most 20,000 of each kind)')
})
