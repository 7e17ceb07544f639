// When two payloads report the same event, and when they do not.
import { eventContent } from '../../src/api/hooks.ts'

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
