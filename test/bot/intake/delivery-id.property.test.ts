// Which deliveries are the same, for any mixture of the headers that services send: the sender's id decides, else event and body.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deliveryId } from '../../../src/bot/intake/delivery-id.ts'

const id = fc.option(fc.constantFrom('', 'a', 'b', 'b:1', '7'), { nil: undefined })
const sent = fc.record({
  'webhook-id': id,
  'idempotency-key': id,
  'x-gitlab-event': fc.constantFrom('Push Hook', 'Note Hook', undefined),
  'x-gitlab-event-uuid': id,
  'x-gitlab-webhook-uuid': id,
  'x-gitlab-instance': id,
  'webhook-timestamp': id,
  body: fc.constantFrom('', 'a', '{}', '{"iid":1}'),
  boundTo: fc.constantFrom(undefined, 7, 8),
})
type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never

/** What DESIGN §6 calls the same, in so many words. */
function sameness({ body, boundTo, ...headers }: Sent): string {
  const own = headers['webhook-id'] || headers['idempotency-key']
  return JSON.stringify(own ? [boundTo, 'id', own] : [boundTo, 'body', headers['x-gitlab-event'] ?? '', body])
}
const idOf = ({ body, boundTo, ...headers }: Sent, now = 0) =>
  deliveryId(headers, Buffer.from(body), now, { service: 's', boundTo }).id

test('two deliveries have one id when they are the same, and only then', () => {
  fc.assert(
    fc.property(sent, sent, (a, b) => {
      expect(idOf(a) === idOf(b)).toBe(sameness(a) === sameness(b))
    }),
    { numRuns: 2_000 },
  )
})

test('an id of the sender’s is the same at any time, one of the body in its window', () => {
  fc.assert(
    fc.property(sent, fc.nat(10 * 60_000 - 1), (each, later) => {
      expect(idOf(each, later)).toBe(idOf(each))
      const hasId = Boolean(each['webhook-id'] || each['idempotency-key'])
      expect(idOf(each, 20 * 60_000) === idOf(each)).toBe(hasId)
    }),
  )
})
