// When two deliveries are the same: by the sender's id, else by event and body in the same ten minutes.
import fc from 'fast-check'
import { deliveryId } from '../../../src/bot/intake/delivery-job.ts'

const WINDOW = 10 * 60_000
const id = fc.option(fc.constantFrom('', 'a', 'b', 'b:1', '7', '\0', 'x'.repeat(10_000)), { nil: undefined })
const sent = fc.record({
  'webhook-id': id,
  'idempotency-key': id,
  'x-gitlab-event': fc.constantFrom('Push Hook', 'Push Hook{}', undefined),
  'x-gitlab-event-uuid': id,
  'x-gitlab-webhook-uuid': id,
  'x-gitlab-instance': id,
  'webhook-timestamp': id,
  body: fc.constantFrom('', 'a', '{}', '{"iid":1}'),
  secretProject: fc.constantFrom(undefined, 7, 8),
})
type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never

/** Equal for two deliveries that are the same. */
function sameness({ body, secretProject, ...headers }: Sent): string {
  const own = headers['webhook-id'] || headers['idempotency-key']
  return JSON.stringify([secretProject, ...(own ? ['id', own] : ['body', headers['x-gitlab-event'] ?? '', body])])
}
const idOf = ({ body, secretProject, ...headers }: Sent, now = 0) =>
  deliveryId(headers, Buffer.from(body), now, secretProject)

test('two deliveries have one id when they are the same, and only then; every id is one that a queue accepts', () => {
  fc.assert(
    fc.property(sent, sent, (a, b) => {
      expect(idOf(a) === idOf(b)).toBe(sameness(a) === sameness(b))
      expect(idOf(a)).toMatch(/^d-[0-9a-f]{32}$/)
    }),
    { numRuns: 2_000 },
  )
})

test('an id of the sender is the same at any time; an id of the body lasts ten minutes', () => {
  fc.assert(
    fc.property(sent, fc.nat(WINDOW - 1), (each, later) => {
      expect(idOf(each, later)).toEqual(idOf(each))
      const hasId = Boolean(each['webhook-id'] || each['idempotency-key'])
      expect(idOf(each, WINDOW) === idOf(each)).toBe(hasId)
    }),
  )
})
