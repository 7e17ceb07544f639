// What of a delivery’s body is read, why a body is unreadable, and how it is signed.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventContent, exceedsShape, hookSignature, readPayload } from '../../src/api/hooks.ts'

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

describe('a body is unreadable', () => {
  test.each([
    ['of neither kind of event', '{"kind":"push"}', /neither object_kind nor event_name/],
    ['whose kind is no text', '{"object_kind":5,"event_name":null}', /neither object_kind nor event_name/],
    ['that is cut', '{"object_kind":"secret', /^The body is not JSON \(SyntaxError\)\.$/],
    ['that is empty', '', /not JSON/],
    ['that is a list', '[{"object_kind":"push"}]', /not an object/],
    ['that is a text', '"push"', /not an object/],
    ['deeper than a hundred levels', nested(101), /deeper/],
    ['with very many values', `{"object_kind":"push","x":[${'0,'.repeat(500_000)}0]}`, /more values/],
  ])('%s, and the reason does not quote it', (_what, body, reason) => {
    const read = readPayload(body)
    expect(read).toEqual({ ok: false, reason: expect.stringMatching(reason) })
    expect(JSON.stringify(read)).not.toContain('secret')
  })
})

test('a signature is what Standard Webhooks makes of the same delivery', () => {
  const said = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' }
  expect(hookSignature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', said)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

const update = {
  object_kind: 'merge_request',
  event_type: 'merge_request',
  user: { id: 3, username: 'ann', name: 'Ann' },
  project: { id: 7, name: 'App' },
  object_attributes: {
    iid: 2,
    action: 'update',
    updated_at: '2026-11-21 12:00:00 UTC',
    title: 'A',
    last_commit: { id: 'a' },
  },
  changes: { labels: { previous: [], current: [{ title: 'a' }] } },
}
const hash = (payload: unknown) => eventContent(payload)

test('the same payload in another order, with other ornaments, is the same event', () => {
  const { object_kind, changes, ...rest } = update
  expect(
    hash({ changes, repository: { name: 'App' }, ...rest, project: { name: 'Renamed', id: 7 }, object_kind }),
  ).toBe(hash(update))
  // As a system hook names it.
  const { object_kind: kind, event_type: _type, ...others } = update
  expect(hash({ ...others, event_name: kind })).toBe(hash(update))
})

test.each([
  ['another time', { object_attributes: { ...update.object_attributes, updated_at: '2026-11-21 12:00:01 UTC' } }],
  ['another merge request', { object_attributes: { ...update.object_attributes, iid: 3 } }],
  ['another change', { changes: { labels: { previous: [], current: [{ title: 'b' }] } } }],
  ['another actor', { user: { ...update.user, id: 4 } }],
  ['another project', { project: { id: 8 } }],
  ['another kind', { object_kind: 'note' }],
  ['another push', { before: 'a', after: 'b' }],
  ['another note’s merge request', { merge_request: { iid: 9 } }],
])('%s is another event', (_name, change) => {
  expect(hash({ ...update, ...change })).not.toBe(hash(update))
})

test('what is no object, or deeper than can be written, has no content to compare', () => {
  for (const odd of [null, [], 'text', 1]) expect(eventContent(odd)).toBeUndefined()
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(eventContent({ object_kind: 'push', changes: deep })).toBeUndefined()
})

function shapeOf(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 }
  const inner = Object.values(value).map(shapeOf)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  }
}

test('no JSON value within the limits is turned down, whatever its strings hold', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', '}', ']', ',', 'a', '\u2028', 'é') })
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'medium', withCrossShrink: true }, text, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 5 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  })).value
  fc.assert(
    fc.property(json, (value) => {
      const { depth, values } = shapeOf(value)
      for (const space of [0, 2]) {
        const written = JSON.stringify(value, null, space)
        expect(exceedsShape(written, { depth, values: 2 * values })).toBe(false)
        if (depth > 0) expect(exceedsShape(written, { depth: depth - 1, values: 2 * values })).toBe(true)
      }
    }),
  )
})

test('the number of values is limited as well', () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => ({})))
  expect([
    exceedsShape(list(100), { depth: 9, values: 202 }),
    exceedsShape(list(1_000), { depth: 9, values: 202 }),
  ]).toEqual([false, true])
})

test('what is no JSON ends nowhere else', () => {
  for (const odd of ['', '"', '"\\', '\\"', '[', ']]]]', '{"a', '"\\"'])
    expect(exceedsShape(odd, { depth: 1, values: 3 })).toBe(false)
})
