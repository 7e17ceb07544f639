// What makes two deliveries the same one.
import { describe, expect, test } from 'vitest'
import { deliveryId as idOf, isWithinHashWindow } from '../../../src/bot/intake/delivery-id.ts'

const MINUTE = 60_000
const WINDOW_START = 10 * MINUTE * 3_000_000
const deliveryId = (headers: Parameters<typeof idOf>[0], sent: Buffer, now: number) =>
  idOf(headers, sent, now, { service: 's' })
const body = Buffer.from('{"object_kind":"push"}')

describe('with an id of the sender’s', () => {
  test('the id alone decides, at any time and whatever the body', () => {
    const first = deliveryId({ 'webhook-id': 'a' }, body, 0)
    expect(deliveryId({ 'webhook-id': 'a' }, Buffer.from('other'), 99 * MINUTE)).toEqual(first)
    expect(deliveryId({ 'webhook-id': 'b' }, body, 0)).not.toEqual(first)
    expect(first).not.toHaveProperty('before')
  })

  test('webhook-id and Idempotency-Key are the same id, because senders give both the same value', () => {
    expect(deliveryId({ 'idempotency-key': 'a' }, body, 0)).toEqual(deliveryId({ 'webhook-id': 'a' }, body, 0))
  })

  test('an empty webhook-id does not hide the Idempotency-Key', () => {
    expect(deliveryId({ 'webhook-id': '', 'idempotency-key': 'a' }, body, 0)).toEqual(
      deliveryId({ 'idempotency-key': 'a' }, body, 0),
    )
  })

  test('ids that no queue takes become ones that it does', () => {
    for (const odd of ['1', 'a:b', '\0', '😀', 'x'.repeat(10_000)])
      expect(deliveryId({ 'webhook-id': odd }, body, 0).id).toMatch(/^d-[0-9a-f]{32}$/)
  })
})

describe('without one', () => {
  test('the same event and body within a window are the same delivery', () => {
    const headers = { 'x-gitlab-event': 'Push Hook' }
    const first = deliveryId(headers, body, WINDOW_START)
    expect(deliveryId(headers, Buffer.from(body), WINDOW_START + 10 * MINUTE - 1)).toEqual(first)
  })

  test('another body or another event is another delivery', () => {
    const first = deliveryId({ 'x-gitlab-event': 'Push Hook' }, body, WINDOW_START).id
    expect(deliveryId({ 'x-gitlab-event': 'Push Hook' }, Buffer.from(`${body} `), WINDOW_START).id).not.toBe(first)
    expect(deliveryId({ 'x-gitlab-event': 'System Hook' }, body, WINDOW_START).id).not.toBe(first)
    expect(deliveryId({}, body, WINDOW_START).id).not.toBe(first)
  })

  test('what follows a window names the id of the one before, so that its edge parts nothing', () => {
    const before = deliveryId({}, body, WINDOW_START - 1)
    const after = deliveryId({}, body, WINDOW_START)
    expect(after.id).not.toBe(before.id)
    expect(after.before).toBe(before.id)
  })

  test('ids that are the same for a whole chain, or differ with each attempt, do not count', () => {
    const first = deliveryId({ 'x-gitlab-event-uuid': 'a', 'x-gitlab-webhook-uuid': 'b' }, body, WINDOW_START)
    expect(deliveryId({ 'x-gitlab-event-uuid': 'c', 'x-gitlab-webhook-uuid': 'd' }, body, WINDOW_START)).toEqual(first)
    expect(deliveryId({ 'x-gitlab-event-uuid': 'a' }, Buffer.from('other'), WINDOW_START).id).not.toBe(first.id)
  })

  test('a body cannot be written so that it is taken for an id or an event of another', () => {
    expect(deliveryId({}, Buffer.from('a'), 0).id).not.toBe(deliveryId({ 'webhook-id': 'a' }, body, 0).id)
    expect(deliveryId({ 'x-gitlab-event': 'a' }, Buffer.from('b'), 0).id).not.toBe(
      deliveryId({ 'x-gitlab-event': 'ab' }, Buffer.from(''), 0).id,
    )
  })
})

test('a body stands for ten minutes', () => {
  expect(isWithinHashWindow(0, 10 * MINUTE - 1)).toBe(true)
  expect(isWithinHashWindow(0, 10 * MINUTE)).toBe(false)
})

test('the same delivery to another service, or to another project’s address, is another', () => {
  const at = (from: Parameters<typeof idOf>[3]) => [
    idOf({ 'webhook-id': 'a' }, body, 0, from).id,
    idOf({}, body, 0, from).id,
  ]
  const all = [{ service: 's' }, { service: 't' }, { service: 's', boundTo: 1 }, { service: 't', boundTo: 1 }].flatMap(
    at,
  )
  expect(new Set(all).size).toBe(8)
})
