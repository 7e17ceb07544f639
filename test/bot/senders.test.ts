// The project is read off a raw delivery, as the real ones are written.
import { expect, test } from 'vitest'
import { senderOfDelivery } from '../../src/bot/senders.ts'

const delivery = (body: string) => ({ is: 'delivery' as const, service: 's', receivedAt: '', header: '', body })

test.each([
  ['a merge request', '{"object_kind":"merge_request","user":{"id":9},"project":{"id":7,"name":"a"}}', '7'],
  ['a push, indented', '{\n  "object_kind": "push",\n  "project_id": 15,\n  "project": {\n    "id": 15', '15'],
  ['a title that looks like a project', JSON.stringify({ title: 'x","project_id":666,"', project: { id: 7 } }), '7'],
  ['another project’s id', '{"object_attributes":{"source_project_id":3,"target_project_id":4},"project":{"id":4}}', '4'],
  ['no JSON', 'hello', undefined],
])('%s', (_name, body, wanted) => {
  expect(senderOfDelivery(delivery(body))).toBe(wanted)
  expect(senderOfDelivery(delivery(''), Buffer.from(body))).toBe(wanted)
})

test.each([
  ['the first', 1_024],
  ['a project', 0],
  ['both', 1_020],
])('a number is read in whole, wherever a body is cut to be looked through: %s', (_name, padding) => {
  for (let more = 0; more < 8; more += 1) {
    const start = '{"object_kind":"push","a":"'
    const body = `${start}${'x'.repeat(Math.max(0, padding - start.length - 20 + more))}","project_id":123456,"b":1}`
    expect(senderOfDelivery(delivery(body))).toBe('123456')
    expect(senderOfDelivery(delivery(''), Buffer.from(body))).toBe('123456')
  }
})

test('a project that stands too far back is not looked for, and no part of its number is taken', () => {
  for (let more = 0; more < 20; more += 1) {
    const body = `{"a":"${'x'.repeat(16_384 - 30 + more)}","project_id":123456}`
    expect([undefined, '123456']).toContain(senderOfDelivery(delivery(body)))
  }
  expect(senderOfDelivery(delivery(`{"a":"${'x'.repeat(16_384)}","project_id":1}`))).toBeUndefined()
})

test('what looks whether a copy was judged is the work of its merge request’s project', () => {
  const mergeRequest = { service: 's', project: 7, iid: 2 }
  expect(senderOfDelivery({ is: 'again', delivery: 'd', why: 'copied', mergeRequest, after: 'e' })).toBe('7')
})

test('a wish to judge again is nobody’s', () => {
  expect(senderOfDelivery({ is: 'again', delivery: 'd', why: 'replay' })).toBeUndefined()
})
