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

// A delivery is looked through in two steps, of which the second is the last.
test('the number of a project is read in whole where the first step ends within it, and not at all where the last one does', () => {
  for (const [end, wanted] of [
    [1_024, '123456'],
    [16_384, undefined],
  ] as const) {
    for (let digits = 1; digits <= 6; digits += 1) {
      const key = '","project_id":'
      const body = `${'{"a":"'.padEnd(end - key.length - digits, 'x')}${key}123456}`
      expect(senderOfDelivery(delivery(body))).toBe(wanted)
      expect(senderOfDelivery(delivery(''), Buffer.from(body))).toBe(wanted)
    }
  }
})

test('what looks whether a copy was judged is the work of its merge request’s project', () => {
  const mergeRequest = { service: 's', project: 7, iid: 2 }
  expect(senderOfDelivery({ is: 'again', delivery: 'd', why: 'copied', mergeRequest, after: 'e' })).toBe('7')
})

test('a wish to judge again is nobody’s', () => {
  expect(senderOfDelivery({ is: 'again', delivery: 'd', why: 'replay' })).toBeUndefined()
})
