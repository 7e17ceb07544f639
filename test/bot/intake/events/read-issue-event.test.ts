// Events of issues, and of notes and emojis on them, whatever the payload lacks.
import { readPayload } from '../../../../src/api/hooks.ts'
import type { ReadEvent } from '../../../../src/bot/intake/events/event-fields.ts'
import { readEvent } from '../../../../src/bot/intake/events/read-event.ts'
import { isConfidential } from '../../../../src/bot/intake/events/read-issue-event.ts'

const AT = '2026-11-21T12:00:00.000Z'
const ann = { id: 3, username: 'ann' }
const url = 'https://code.example/hotel/app/-/issues/4'

function parsed(json: unknown) {
  const read = readPayload(JSON.stringify(json))
  if (!read.ok) throw new Error(read.reason)
  return read.payload
}
const readJson = (json: unknown): ReadEvent => readEvent(parsed(json), AT)

const issue = (attributes: object = {}, more: object = {}) => ({
  ...{ object_kind: 'issue', event_type: 'issue', user: ann, project: { id: 7 } },
  object_attributes: {
    iid: 4,
    project_id: 7,
    action: 'open',
    title: 'A door',
    url,
    confidential: false,
    ...attributes,
  },
  ...more,
})
const on = (object_kind: string, attributes: object, more: object = {}) => ({
  ...{
    object_kind,
    event_type: object_kind,
    user: ann,
    project: { id: 7 },
    object_attributes: { id: 31, ...attributes },
  },
  issue: { iid: 4, project_id: 7, title: 'A door', url, confidential: false },
  ...more,
})
const note = (attributes: object = {}, more: object = {}) =>
  on('note', { note: '@bellhop close', noteable_type: 'Issue', ...attributes }, more)
const emoji = (attributes: object = {}, more: object = {}) =>
  on('emoji', { action: 'award', awardable_type: 'Issue', ...attributes }, more)

const about = (iid = 4) => ({ about: 'issue', iid })
const none = { about: 'none' }
const kind = (name: string, concern: object = {}) => ({ event: { kind: name }, concern })

test.each<[string, unknown, object]>([
  ['an issue', issue(), { event: { kind: 'issue.open', project: 7, iid: -4, actor: ann, at: AT }, concern: about() }],
  ['one without an action', issue({ action: undefined }), kind('issue.update')],
  [
    'a confidential one',
    issue({ confidential: true }, { event_type: 'confidential_issue' }),
    kind('issue.open', about()),
  ],
  [
    'an incident or a task',
    issue({ type: 'Task', action: 'close' }, { object_kind: 'work_item' }),
    kind('issue.close', about()),
  ],
  [
    'changed labels and fields',
    issue(
      { action: 'update', updated_at: '2026-01-01 00:00:00 UTC' },
      { changes: { labels: { previous: [], current: [{ title: 'bug' }] }, title: {} } },
    ),
    { event: { changed: ['labels', 'title'] } },
  ],
  ['a note', note(), { event: { kind: 'note.create', iid: -4, note: { id: 31, mentions: true } }, concern: about() }],
  [
    'a note on a confidential issue',
    note({}, { event_type: 'confidential_note', issue: { iid: 4, confidential: true } }),
    kind('note.create', about()),
  ],
  ['an edited note', note({ action: 'update' }), kind('note.update', about())],
  ['a note of the service', note({ system: true }), { concern: none }],
  ['an emoji', emoji(), { event: { kind: 'emoji.award', iid: -4 }, concern: about() }],
  ['an emoji on a note', emoji({ awardable_type: 'Note' }), { concern: none }],
  [
    'an epic, which is in no project',
    issue({ project_id: null, type: 'Epic' }, { object_kind: 'work_item', project: undefined }),
    { concern: { ...none, reason: expect.stringContaining('epic') } },
  ],
  ['a note without its issue', note({}, { issue: undefined }), { concern: none }],
])('reads %s', (_what, payload, expected) => {
  expect(readJson(payload)).toMatchObject(expected)
})

test('numbers and projects that no issue has are about none', () => {
  for (const iid of [undefined, null, '4', 0, -4, 1.5, 1e300, 2 ** 60]) {
    for (const payload of [issue({ iid }), note({}, { issue: { iid } }), emoji({}, { issue: { iid } })]) {
      const { event, concern } = readJson(payload)
      expect(concern, String(iid)).toMatchObject(none)
      expect(event).not.toHaveProperty('iid')
    }
  }
  for (const id of [undefined, null, 0, -1, '7'])
    expect(readJson(issue({ project_id: id }, { project: { id } })).concern, String(id)).toMatchObject(none)
})

test('an issue of another project than the hook’s is one of the hook’s', () => {
  const { event, concern } = readJson(note({}, { issue: { iid: 4, project_id: 8 } }))
  expect({ event, concern }).toMatchObject({ event: { project: 7 }, concern: about() })
})

describe('confidential', () => {
  test.each<[string, unknown, boolean]>([
    ['an issue that everybody may read', issue(), false],
    ['one that says so', issue({ confidential: true }), true],
    ['one whose event does', issue({}, { event_type: 'confidential_issue' }), true],
    ['one that does not say', issue({ confidential: undefined }), true],
    ['a work item that does not say', issue({ confidential: null }, { object_kind: 'work_item' }), true],
    ['a note on one that everybody may read', note(), false],
    ['a note on one that does not say', note({}, { issue: { iid: 4 } }), true],
    ['a note on one that cannot be read', note({}, { issue: 'odd' }), true],
    ['a note whose event is confidential', note({}, { event_type: 'confidential_note' }), true],
    ['an emoji on a confidential one', emoji({}, { issue: { iid: 4, confidential: true } }), true],
    ['an emoji on a note on one', emoji({ awardable_type: 'Note' }, { issue: { iid: 4, confidential: true } }), true],
    [
      'a note on a merge request',
      { object_kind: 'note', merge_request: { iid: 4 }, object_attributes: { noteable_type: 'MergeRequest' } },
      false,
    ],
    ['a merge request', { object_kind: 'merge_request', object_attributes: { iid: 4 } }, false],
  ])('%s: %s', (_what, payload, expected) => {
    expect(isConfidential(parsed(payload))).toBe(expected)
  })

  test('an event names no title of one', () => {
    expect(readJson(issue()).name).toEqual({ title: 'A door', url })
    const [own, ofNote] = [
      readJson(issue({ confidential: true })),
      readJson(note({}, { issue: { iid: 4, title: 'A door', url } })),
    ]
    expect([own.name, ofNote.name]).toEqual([
      { title: 'a confidential issue', url },
      { title: 'a confidential issue', url },
    ])
    expect(JSON.stringify([own, ofNote])).not.toContain('A door')
  })
})
