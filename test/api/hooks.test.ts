// What of a delivery’s body is read, why a body is unreadable, and how it is signed.
import { hookSignature, readPayload } from '../../src/api/hooks.ts'

const nested = (depth: number) => `{"object_kind":"push","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

describe('a body is readable', () => {
  test.each([
    ['with object_kind alone, as of a project', { object_kind: 'push' }],
    ['with event_name alone, as of the whole service', { event_name: 'repository_update' }],
  ])('%s', (_what, json) => {
    expect(readPayload(JSON.stringify(json))).toEqual({ ok: true, payload: json, content: expect.any(String) })
  })

  test('whatever is wrong with a field: that one counts as absent, and the others are read', () => {
    const wrong = { project_id: '7', user: 'ann', changes: null, merge_request: { iid: 2.5, title: 'A door' }, ref: 5 }
    expect(readPayload(JSON.stringify({ object_kind: 'note', before: 'a', ...wrong }))).toMatchObject({
      payload: { object_kind: 'note', before: 'a', merge_request: { title: 'A door' } },
    })
  })

  test('up to a hundred levels deep', () => {
    expect(readPayload(nested(100))).toMatchObject({ ok: true })
  })
})

test.each([
  ['of neither kind of event', '{"kind":"push"}', /neither object_kind nor event_name/],
  ['whose kind is no text', '{"object_kind":5,"event_name":null}', /neither object_kind nor event_name/],
  ['that is cut', '{"object_kind":"secret', /^The body is not JSON \(SyntaxError\)\.$/],
  ['that is empty', '', /not JSON/],
  ['that is a list', '[{"object_kind":"push"}]', /not an object/],
  ['that is a text', '"push"', /not an object/],
  ['deeper than a hundred levels', nested(101), /deeper/],
  ['with very many values', `{"object_kind":"push","x":[${'0,'.repeat(500_000)}0]}`, /more values/],
])('a body is unreadable %s, and the reason does not quote it', (_what, body, reason) => {
  const read = readPayload(body)
  expect(read).toEqual({ ok: false, reason: expect.stringMatching(reason) })
  expect(JSON.stringify(read)).not.toContain('secret')
})

test('a signature is what Standard Webhooks makes of the same delivery', () => {
  const said = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' }
  expect(hookSignature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', said)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})
