// A payload becomes an event, whatever it lacks.
import fc from 'fast-check'
import { readPayload } from '../../../../src/api/hooks.ts'
import type { ReadEvent } from '../../../../src/bot/intake/events/event-fields.ts'
import { readEvent } from '../../../../src/bot/intake/events/read-event.ts'
import { commandsIn } from '../../../../src/rules/language/commands/comment-commands.ts'
import { anyText } from '../../../any-text.ts'

const AT = '2026-11-21T12:00:00.000Z'
const ZEROS = '0'.repeat(40)
const A = 'a'.repeat(40)
const B = 'b'.repeat(40)

function readJson(json: unknown): ReadEvent {
  const read = readPayload(JSON.stringify(json))
  if (!read.ok) throw new Error(read.reason)
  return readEvent(read.payload, AT)
}

const nobody = { about: 'none' }
const ann = { id: 3, username: 'ann' }
const mergeRequest = (attributes: object, more: object = {}) => ({
  ...{ object_kind: 'merge_request', project: { id: 7 }, user: ann },
  ...{ object_attributes: { iid: 2, ...attributes }, ...more },
})
const pipeline = (attributes: object = {}, more: object = {}) => ({
  ...{ object_kind: 'pipeline', project: { id: 7 } },
  object_attributes: { id: 5, ref: 'feature', sha: A, status: 'success', tag: false, source: 'push', ...attributes },
  ...more,
})
const push = (more: object = {}) => ({
  ...{ object_kind: 'push', project_id: 7, ref: 'refs/heads/feature/x', before: A, after: B },
  ...{ user_id: 3, user_username: 'ann', ...more },
})
const note = (attributes: object = {}, more: object = {}) => ({
  ...{ object_kind: 'note', user: ann, project: { id: 7 }, merge_request: { iid: 4, target_project_id: 7 } },
  object_attributes: { id: 31, note: '@bellhop merge', noteable_type: 'MergeRequest', ...attributes },
  ...more,
})
const emoji = (attributes: object, more: object = {}) => ({
  ...{ object_kind: 'emoji', event_type: 'award', user: ann, project_id: 7, project: { id: 7 } },
  merge_request: { iid: 4, target_project_id: 7, target_branch: 'main' },
  object_attributes: { id: 1, action: 'award', awardable_type: 'MergeRequest', awardable_id: 31, ...attributes },
  ...more,
})
const ofProject = (object_kind: string, more: object) => ({ object_kind, project: { id: 7 }, ...more })
const about = (iid: number) => ({ about: 'merge request', iid })
/** An event of this kind, with these fields, about that. */
const kind = (name: string, more: object = {}, concern: object = {}) => ({ event: { kind: name, ...more }, concern })

test.each<[string, unknown, object]>([
  [
    'a merge request event',
    mergeRequest({ action: 'open', target_project_id: 7 }),
    kind('merge_request.open', { project: 7, iid: 2, actor: ann, at: AT }, about(2)),
  ],
  ['one without an action (system hooks)', mergeRequest({}), kind('merge_request.update')],
  [
    'an approval that a push reset (18.6)',
    mergeRequest({ action: 'unapproved', system: true, system_action: 'approvals_reset_on_push' }),
    kind('merge_request.approvals_reset', { iid: 2, actor: ann }, about(2)),
  ],
  [
    'an approval that a person withdrew',
    mergeRequest({ action: 'unapproved', system: false }),
    kind('merge_request.unapproved'),
  ],
  [
    'one without a project (2013)',
    { object_kind: 'merge_request', object_attributes: { iid: 2, target_project_id: 14 } },
    { event: { project: 14 }, concern: about(2) },
  ],
  ['one from a fork', mergeRequest({ target_project_id: 14 }), { event: { project: 14 }, concern: about(2) }],
  [
    'one with a new head',
    mergeRequest({ last_commit: { id: B }, oldrev: A }),
    { event: { pushed: { from: A, to: B } } },
  ],
  [
    'one that changes fields',
    mergeRequest({}, { changes: { labels: { previous: [], current: [] }, title: {} } }),
    { event: { changed: ['labels', 'title'] } },
  ],
  [
    'a pipeline of a branch',
    pipeline(),
    {
      event: {
        kind: 'pipeline.success',
        ref: 'feature',
        pipeline: { id: 5, sha: A, status: 'success', source: 'push' },
      },
      concern: { about: 'branch', branch: 'feature' },
    },
  ],
  [
    'a pipeline of a merge request',
    pipeline({}, { merge_request: { iid: 2, target_project_id: 7 } }),
    { concern: about(2) },
  ],
  [
    'a pipeline that ran in a fork',
    pipeline({}, { project: { id: 99 }, merge_request: { iid: 2, target_project_id: 7 } }),
    { event: { project: 7, iid: 2 }, concern: about(2) },
  ],
  [
    'a pipeline with a null user and merge request',
    pipeline({}, { user: null, merge_request: null }),
    { event: { actor: {} }, concern: { about: 'branch' } },
  ],
  [
    'a push',
    push(),
    {
      event: { kind: 'push', ref: 'feature/x', pushed: { from: A, to: B }, actor: ann },
      concern: { about: 'branch', branch: 'feature/x' },
      push: { project: 7, branch: 'feature/x', from: A, to: B },
    },
  ],
  [
    'a push that creates a branch',
    push({ before: ZEROS }),
    { event: { refChange: 'created' }, push: { from: null, to: B } },
  ],
  ...[{ after: ZEROS }, { after: '' }].map((gone): [string, unknown, object] => [
    `a push that deletes a branch, with ${JSON.stringify(gone)}`,
    push(gone),
    { push: { to: null }, concern: nobody },
  ]),
  [
    'an emoji on a merge request',
    emoji({}),
    kind('emoji.award', { actor: ann, project: 7, iid: 4, target: 'main' }, about(4)),
  ],
  ['an emoji on a note', emoji({ awardable_type: 'Note' }), kind('emoji.award', {}, nobody)],
  ['an emoji without its merge request', emoji({}, { merge_request: null }), { concern: nobody }],
  ['a page of the wiki', ofProject('wiki_page', { object_attributes: { action: 'delete' } }), kind('wiki_page.delete')],
  ['a release', ofProject('release', { action: 'create', tag: 'v1' }), kind('release.create', { ref: 'v1' })],
  ['a release without a word', ofProject('release', { action: ' ' }), kind('release.update')],
  [
    'a deployment',
    ofProject('deployment', { status: 'blocked', ref: 'main' }),
    kind('deployment.blocked', { ref: 'main' }),
  ],
  [
    'an access token that expires',
    ofProject('access_token', { event_name: 'expiring_access_token' }),
    kind('access_token.expiring', { project: 7 }),
  ],
  [
    'a deleted tag',
    ofProject('tag_push', { ref: 'refs/tags/v1', before: A, after: ZEROS }),
    kind('tag_push', { ref: 'v1', refChange: 'deleted' }),
  ],
  [
    'a job',
    ofProject('build', {}),
    {
      event: { kind: 'build' },
      concern: { reason: expect.stringMatching(/^Job events \(build\) are not supported: .*docs\/rules\.md/) },
    },
  ],
  [
    'a member, who is not the actor',
    { event_name: 'user_add_to_group', user_id: 3, user_username: 'ann', group_id: 5 },
    { event: { kind: 'user_add_to_group', actor: {} }, concern: { reason: expect.stringMatching(/^Member events/) } },
  ],
  [
    'an event of an unknown kind, which is cut',
    { object_kind: 'x'.repeat(10_000) },
    { concern: { reason: expect.stringMatching(/^No rule is about x{60} events\.$/) } },
  ],
  [
    'a note without an action',
    note(),
    {
      event: { kind: 'note.create', actor: ann, at: AT, project: 7, iid: 4, note: { id: 31, mentions: true } },
      concern: about(4),
    },
  ],
  ['a note of the service', note({ system: true }), { concern: nobody }],
  ['a note without its merge request', note({}, { merge_request: undefined }), { concern: nobody }],
])('reads %s', (_what, payload, expected) => {
  expect(readJson(payload)).toMatchObject(expected)
})

test('a push whose payload lacks a commit does not say whether the branch is new, or what was pushed', () => {
  for (const lacks of [{ before: undefined }, { after: undefined }, { before: ZEROS, after: ZEROS }])
    expect(readJson(push(lacks)).event, JSON.stringify(lacks)).not.toHaveProperty('refChange')
  for (const lacks of [{ before: ZEROS }, { after: ZEROS }])
    expect(readJson(push(lacks)).event, JSON.stringify(lacks)).not.toHaveProperty('pushed')
})

test('a pipeline without its commit is not remembered as one', () => {
  expect(readJson(pipeline({ sha: null })).event).not.toHaveProperty('pipeline')
})

test('a merge request event without the old head is no push', () => {
  expect(readJson(mergeRequest({ last_commit: { id: B } })).event).not.toHaveProperty('pushed')
})

test('ids that no merge request or project has concern nobody', () => {
  for (const iid of [undefined, null, '2', 0, -1, 1.5, 1e300])
    expect(readJson(mergeRequest({ iid })).concern, String(iid)).toMatchObject(nobody)
  for (const id of [undefined, null, 0, -1])
    expect(readJson(mergeRequest({}, { project: { id } })).concern, String(id)).toMatchObject(nobody)
  const read = readPayload(
    '{"object_kind":"merge_request","__proto__":{"project":{"id":7}},"object_attributes":{"iid":2}}',
  )
  expect(read.ok && readEvent(read.payload, AT).concern).toMatchObject(nobody)
})

test('a push to no branch of a known project concerns nobody and is no push', () => {
  const refs = [{ ref: 'refs/tags/v1' }, { ref: null }, { ref: 'refs/heads/' }, { project_id: null }, { project_id: 0 }]
  for (const changes of refs) {
    const read = readJson(push(changes))
    expect(read.concern, JSON.stringify(changes)).toMatchObject(nobody)
    expect(read.push).toBeUndefined()
  }
})

test('head and target branch are those of the merge request, and unknown where they are odd', () => {
  const read = (id: unknown, target_branch: unknown) => {
    const named = { iid: 4, last_commit: { id }, target_branch }
    const events = [readJson(note({}, { merge_request: named })), readJson(mergeRequest({ ...named, action: 'open' }))]
    return events.map(({ event: { head, target } }) => [head, target])
  }
  expect(read(A, 'main')).toEqual([
    [A, 'main'],
    [A, 'main'],
  ])
  const unknown = [undefined, undefined]
  for (const id of [undefined, null, 'master', A.slice(1)]) expect(read(id, undefined)).toEqual([unknown, unknown])
  for (const name of [undefined, null, 7, '', 'a'.repeat(256)])
    expect(read(undefined, name)).toEqual([unknown, unknown])
})

describe('the text of a note', () => {
  const mentions = (text: string | undefined) => readJson(note({ note: text })).event.note?.mentions

  test('is not stored; it holds no command where no line begins with a mention', () => {
    expect(mentions('see @bellhop merge\n> @bellhop merge')).toBe(false)
    expect(mentions('yes\n  @bellhop merge')).toBe(true)
    expect(mentions(undefined)).toBe(true)
    expect(JSON.stringify(readJson(note()))).not.toContain('@bellhop')
  })

  test('with a command never counts as one without, whatever precedes it', () => {
    const odd = ['\n', '\r', '\r\n', ' ', '    ', '\t', 'a', '> ', '- ', '```', '\u00a0', '\ufeff', '\u2028']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...odd), { maxLength: 8 }), (before) => {
        const text = `${before.join('')}@bellhop merge`
        if (commandsIn(text, 'bellhop').length > 0) expect(mentions(text)).toBe(true)
      }),
    )
  })
})

describe('reading never throws', () => {
  const kinds = fc.constantFrom('merge_request', 'pipeline', 'push', 'note', 'constructor', '__proto__')
  const odd = fc.oneof(fc.jsonValue(), fc.integer(), anyText(), fc.constant(null))
  const fields = 'project project_id user user_id ref before after changes merge_request event_name'.split(' ')
  const attributes =
    'id iid action oldrev noteable_type target_project_id target_branch last_commit status sha ref tag source'.split(
      ' ',
    )
  const some = (names: string[]) => fc.dictionary(fc.constantFrom(...names), odd)

  test('for any JSON, and for text that is no JSON, which the reason does not quote', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText({ minLength: 12 }), (json, text) => {
        const read = readPayload(JSON.stringify(json))
        if (read.ok) readEvent(read.payload, AT)
        const broken = readPayload(`{${text}`)
        if (!broken.ok) expect(broken.reason).not.toContain(text)
      }),
    )
  })

  test('for any value in the fields that are read; a concern names a possible merge request or branch', () => {
    fc.assert(
      fc.property(kinds, some(fields), fc.oneof(some(attributes), odd), (kind, top, object_attributes) => {
        const { concern, event } = readJson({ ...top, object_kind: kind, object_attributes })
        if (concern.about === 'none') return
        expect(event.project).toBeGreaterThan(0)
        if (concern.about === 'branch') expect(concern.branch).not.toBe('')
        else expect(concern.iid).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})
