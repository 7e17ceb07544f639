// The project is read off a raw delivery, as the real ones are written.
import { projectOfDelivery } from '../../../src/bot/intake/delivery-job.ts'

const delivery = (body: string) => ({ is: 'delivery' as const, receivedAt: '', header: '', body })

test.each([
  ['a merge request', '{"object_kind":"merge_request","user":{"id":9},"project":{"id":7,"name":"a"}}', '7'],
  ['a push, indented', '{\n  "object_kind": "push",\n  "project_id": 15,\n  "project": {\n    "id": 15', '15'],
  ['a title that looks like a project', JSON.stringify({ title: 'x","project_id":666,"', project: { id: 7 } }), '7'],
  [
    'another project’s id',
    '{"object_attributes":{"source_project_id":3,"target_project_id":4},"project":{"id":4}}',
    '4',
  ],
  ['no JSON', 'hello', undefined],
])('%s', (_name, body, expected) => {
  expect(projectOfDelivery(delivery(body))).toBe(expected)
})

test('a project id that the end of the searched part cuts off is not read', () => {
  for (let digits = 1; digits <= 6; digits += 1) {
    const key = '","project_id":'
    const body = `${'{"a":"'.padEnd(16_384 - key.length - digits, 'x')}${key}123456}`
    expect(projectOfDelivery(delivery(body))).toBeUndefined()
  }
})

test('a request to evaluate again has no project', () => {
  expect(projectOfDelivery({ is: 'again', delivery: 'd', why: 'replay' })).toBeUndefined()
})
