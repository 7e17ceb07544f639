// A payload becomes an event in our own words, whatever it lacks.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPayload } from '../../../src/api/hooks.ts'
import { type ReadEvent, readEvent } from '../../../src/bot/intake/read-event.ts'
import { commandsIn } from '../../../src/rules/language/comments/comment-commands.ts'

const AT = '2026-11-21T12:00:00.000Z'
const ZEROS = '0'.repeat(40)
const A = 'a'.repeat(40)
const B = 'b'.repeat(40)

function readJson(json: unknown): ReadEvent {
  const read = readPayload(JSON.stringify(json))
  if (!read.ok) throw new Error(read.reason)
  return readEvent(read.payload, AT)
}

describe('a merge request event', () => {
  const payload = { object_kind: 'merge_request', project: { id: 7 }, user: { id: 3, username: 'ann' } }

  test('names its merge request, what was done and by whom', () => {
    const { event, concern } = readJson({
      ...payload,
      object_attributes: { iid: 2, action: 'open', target_project_id: 7 },
    })
    expect(event).toEqual({ kind: 'merge_request.open', project: 7, iid: 2, actor: { id: 3, username: 'ann' }, at: AT })
    expect(concern).toEqual({ about: 'merge request', project: 7, iid: 2 })
  })

  test('without an action is an update, as old versions send it', () => {
    expect(readJson({ ...payload, object_attributes: { iid: 2 } }).event.kind).toBe('merge_request.update')
  })

  test('of 2013, without a project, is about the target project', () => {
    const old = { object_kind: 'merge_request', object_attributes: { iid: 2, target_project_id: 14, state: 'opened' } }
    expect(readJson(old).concern).toEqual({ about: 'merge request', project: 14, iid: 2 })
  })

  test('of a fork is about the project that it goes into', () => {
    const { concern, event } = readJson({ ...payload, object_attributes: { iid: 2, target_project_id: 14 } })
    expect(concern).toMatchObject({ project: 14 })
    expect(event.project).toBe(14)
  })

  test('is a push only where the old head is told', () => {
    const attributes = { iid: 2, action: 'update', last_commit: { id: B } }
    expect(readJson({ ...payload, object_attributes: attributes }).event).not.toHaveProperty('pushed')
    expect(readJson({ ...payload, object_attributes: { ...attributes, oldrev: A } }).event.pushed).toEqual({
      from: A,
      to: B,
    })
  })

  test('names the fields that changed', () => {
    const changes = { labels: { previous: [], current: [] }, title: {} }
    expect(readJson({ ...payload, object_attributes: { iid: 2 }, changes }).event.changed).toEqual(['labels', 'title'])
  })

  describe('that changes labels', () => {
    const at = '2017-09-15 16:52:00 UTC'
    const titled = (...titles: unknown[]) => titles.map((title, id) => ({ id, title, color: '#ffffff' }))
    const labelsOf = (labels: unknown, updated_at: unknown = at) =>
      readJson({ ...payload, object_attributes: { iid: 2, updated_at }, changes: { labels } }).event.labels

    test('says which were put on and taken off, and when by the service’s clock', () => {
      const labels = labelsOf({ previous: titled('a', 'b'), current: titled('b', 'c') })
      expect(labels).toEqual({ added: ['c'], removed: ['a'], at })
    })

    test.each<[string, unknown]>([
      ['both are the same', { previous: titled('a'), current: titled('a') }],
      ['one side is missing', { current: titled('a') }],
      ['one side is no list', { previous: null, current: titled('a') }],
      ['a label has no title', { previous: titled(), current: titled('a', undefined) }],
      ['a title is longer than one can be', { previous: titled(), current: titled('a'.repeat(256)) }],
      ['it is something else', 'a'],
      ['it is null', null],
    ])('says nothing of them where %s', (_what, labels) => {
      expect(labelsOf(labels)).toBeUndefined()
    })

    test('says nothing of them without a time', () => {
      for (const time of [null, 7]) expect(labelsOf({ previous: titled(), current: titled('a') }, time)).toBeUndefined()
    })

    test('tells of a bounded number', () => {
      const many = titled(...Array.from({ length: 1000 }, (_, index) => `label ${index}`))
      expect(labelsOf({ previous: [], current: many })?.added).toHaveLength(20)
    })
  })

  test('without an iid, or with one that no merge request has, concerns nobody', () => {
    for (const iid of [undefined, null, '2', 0, -1, 1.5, 1e300])
      expect(readJson({ ...payload, object_attributes: { iid } }).concern, String(iid)).toMatchObject({
        about: 'nobody',
      })
  })

  test('of a project that no service has concerns nobody', () => {
    for (const id of [undefined, null, 0, -1]) {
      const json = { object_kind: 'merge_request', project: { id }, object_attributes: { iid: 2 } }
      expect(readJson(json).concern, String(id)).toMatchObject({ about: 'nobody' })
    }
  })
})

describe('a pipeline event', () => {
  const attributes = { id: 5, ref: 'feature', sha: A, status: 'success', tag: false, source: 'push' }
  const payload = { object_kind: 'pipeline', project: { id: 7 }, object_attributes: attributes }

  test('of a branch is about the branch’s merge requests with that head', () => {
    const { event, concern } = readJson(payload)
    expect(concern).toEqual({ about: 'branch', project: 7, branch: 'feature', sha: A })
    expect(event).toMatchObject({
      kind: 'pipeline.success',
      ref: 'feature',
      pipeline: { id: 5, sha: A, status: 'success', source: 'push' },
    })
  })

  test('of a merge request names it', () => {
    const { concern } = readJson({ ...payload, merge_request: { iid: 2, target_project_id: 7 } })
    expect(concern).toEqual({ about: 'merge request', project: 7, iid: 2 })
  })

  test('that ran in a fork is about the project of the merge request, in the event as well', () => {
    const { event, concern } = readJson({
      ...payload,
      project: { id: 99 },
      merge_request: { iid: 2, target_project_id: 7 },
    })
    expect(concern).toEqual({ about: 'merge request', project: 7, iid: 2 })
    expect(event).toMatchObject({ project: 7, iid: 2 })
  })

  test('of a version that sends refs/merge-requests/15/head names it', () => {
    const { concern } = readJson({
      ...payload,
      object_attributes: { ...attributes, ref: 'refs/merge-requests/15/head' },
    })
    expect(concern).toEqual({ about: 'merge request', project: 7, iid: 15 })
  })

  test('of a tag concerns nobody', () => {
    expect(readJson({ ...payload, object_attributes: { ...attributes, tag: true } }).concern).toMatchObject({
      about: 'nobody',
    })
  })

  test('with a null user and a null merge request is read all the same', () => {
    expect(readJson({ ...payload, user: null, merge_request: null })).toMatchObject({
      event: { actor: {} },
      concern: { about: 'branch' },
    })
  })
})

describe('a push', () => {
  const payload = {
    object_kind: 'push',
    project_id: 7,
    ref: 'refs/heads/feature/x',
    before: A,
    after: B,
    user_id: 3,
    user_username: 'ann',
  }

  test('is about the branch, and tells who pushed what', () => {
    const { event, concern, push } = readJson(payload)
    expect(event).toMatchObject({
      kind: 'push',
      ref: 'feature/x',
      pushed: { from: A, to: B },
      actor: { id: 3, username: 'ann' },
    })
    expect(concern).toEqual({ about: 'branch', project: 7, branch: 'feature/x' })
    expect(push).toEqual({ project: 7, branch: 'feature/x', from: A, to: B })
  })

  test('that makes a branch comes from nothing, one that deletes it goes to nothing and concerns nobody', () => {
    expect(readJson({ ...payload, before: ZEROS }).push).toMatchObject({ from: null, to: B })
    const deleted = readJson({ ...payload, after: ZEROS })
    expect(deleted.push).toMatchObject({ to: null })
    expect(deleted.concern).toMatchObject({ about: 'nobody' })
  })

  test('to a tag, or of an unknown project, concerns nobody and is no push to a branch', () => {
    for (const changes of [
      { ref: 'refs/tags/v1' },
      { ref: null },
      { ref: 'refs/heads/' },
      { project_id: null },
      { project_id: 0 },
    ]) {
      const read = readJson({ ...payload, ...changes })
      expect(read.concern, JSON.stringify(changes)).toMatchObject({ about: 'nobody' })
      expect(read.push).toBeUndefined()
    }
  })
})

describe('anything else', () => {
  test('an unknown kind concerns nobody, and says so without its whole text', () => {
    const { concern, event } = readJson({ object_kind: 'x'.repeat(10_000) })
    expect(concern).toMatchObject({
      about: 'nobody',
      reason: expect.stringMatching(/^No rule is about x{60} events\.$/),
    })
    expect(event.kind.length).toBeLessThan(100)
  })

  test('a system event that has only event_name is read by it', () => {
    expect(readJson({ event_name: 'user_create' }).event.kind).toBe('user_create')
  })

  test('names of Object’s own never count as fields', () => {
    const read = readPayload(
      '{"object_kind":"merge_request","__proto__":{"project":{"id":7}},"object_attributes":{"iid":2}}',
    )
    expect(read.ok && readEvent(read.payload, AT).concern).toMatchObject({ about: 'nobody' })
  })
})

describe('the head that an event is about', () => {
  const head = 'a'.repeat(40)
  const read = (id: unknown) => ({
    note: readJson({
      object_kind: 'note',
      project: { id: 7 },
      merge_request: { iid: 4, last_commit: { id } },
      object_attributes: { id: 31, noteable_type: 'MergeRequest' },
    }).event.head,
    mergeRequest: readJson({
      object_kind: 'merge_request',
      project: { id: 7 },
      object_attributes: { iid: 4, action: 'open', last_commit: { id } },
    }).event.head,
  })

  test('is the last commit of its merge request', () => {
    expect(read(head)).toEqual({ note: head, mergeRequest: head })
  })

  test('is unknown where none is named, or what is named is no commit', () => {
    for (const id of [undefined, null, 'master', head.slice(1)])
      expect(read(id)).toEqual({ note: undefined, mergeRequest: undefined })
  })
})

describe('the target branch that an event is about', () => {
  const read = (target_branch: unknown) => ({
    note: readJson({
      object_kind: 'note',
      project: { id: 7 },
      merge_request: { iid: 4, target_branch },
      object_attributes: { id: 31, noteable_type: 'MergeRequest' },
    }).event.target,
    mergeRequest: readJson({
      object_kind: 'merge_request',
      project: { id: 7 },
      object_attributes: { iid: 4, action: 'open', target_branch },
    }).event.target,
  })

  test('is that of its merge request', () => {
    expect(read('main')).toEqual({ note: 'main', mergeRequest: 'main' })
  })

  test('is unknown where none is named, or what is named is no branch', () => {
    for (const name of [undefined, null, 7, '', 'a'.repeat(256)])
      expect(read(name)).toEqual({ note: undefined, mergeRequest: undefined })
  })
})

describe('a note', () => {
  const note = (more: object = {}, attributes: object = {}) => ({
    object_kind: 'note',
    user: { id: 2, username: 'alice' },
    project: { id: 7 },
    object_attributes: { id: 31, note: '@bellhop merge', noteable_type: 'MergeRequest', ...attributes },
    merge_request: { iid: 4, target_project_id: 7 },
    ...more,
  })

  test('without an action is a new one, and concerns its merge request', () => {
    expect(readJson(note())).toEqual({
      event: {
        kind: 'note.create',
        actor: { id: 2, username: 'alice' },
        at: AT,
        project: 7,
        iid: 4,
        note: { id: 31, mentions: true },
      },
      concern: { about: 'merge request', project: 7, iid: 4 },
    })
  })

  test('whose lines begin with no mention holds no command: nothing is read for it', () => {
    expect(readJson(note({}, { note: 'see @bellhop merge\n> @bellhop merge' })).event.note).toEqual({
      id: 31,
      mentions: false,
    })
    expect(readJson(note({}, { note: 'yes\n  @bellhop merge' })).event.note).toEqual({ id: 31, mentions: true })
    expect(readJson(note({}, { note: undefined })).event.note).toEqual({ id: 31, mentions: true })
  })

  test('with a command is never taken for one without, whatever stands before it', () => {
    const pieces = fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      ' ',
      '    ',
      '\t',
      'a',
      '> ',
      '- ',
      '```',
      '\u00a0',
      '\ufeff',
      '\u2028',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (before) => {
        const text = `${before.join('')}@bellhop merge`
        if (commandsIn(text, 'bellhop').length > 0)
          expect(readJson(note({}, { note: text })).event.note?.mentions).toBe(true)
      }),
    )
  })

  test('that was edited says so', () => {
    expect(readJson(note({}, { action: 'update' })).event.kind).toBe('note.update')
  })

  test('its text is not taken over: it is read back from the service', () => {
    expect(JSON.stringify(readJson(note()))).not.toContain('@bellhop')
  })

  test.each([
    ['on an issue', note({}, { noteable_type: 'Issue' })],
    ['of the service itself', note({}, { system: true })],
    ['without its merge request', note({ merge_request: undefined })],
  ])('%s concerns nobody', (_what, payload) => {
    expect(readJson(payload).concern.about).toBe('nobody')
  })
})

describe('reading never throws', () => {
  const kinds = fc.constantFrom('merge_request', 'pipeline', 'push', 'note', 'constructor', '__proto__')
  const odd = fc.oneof(fc.jsonValue(), fc.integer(), fc.string({ unit: 'binary' }), fc.constant(null))
  const fields = [
    'project',
    'project_id',
    'user',
    'user_id',
    'ref',
    'before',
    'after',
    'changes',
    'merge_request',
    'event_name',
  ]
  const attributes = [
    'id',
    'iid',
    'action',
    'oldrev',
    'noteable_type',
    'target_project_id',
    'target_branch',
    'last_commit',
    'status',
    'sha',
    'ref',
    'tag',
    'source',
  ]
  const some = (names: string[]) => fc.dictionary(fc.constantFrom(...names), odd)

  test('whatever JSON comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const read = readPayload(JSON.stringify(json))
        if (read.ok) readEvent(read.payload, AT)
      }),
    )
  })

  test('whatever stands in the fields that are read; a concern always names a possible merge request or branch', () => {
    fc.assert(
      fc.property(kinds, some(fields), fc.oneof(some(attributes), odd), (kind, top, object_attributes) => {
        const read = readPayload(JSON.stringify({ ...top, object_kind: kind, object_attributes }))
        if (!read.ok) throw new Error(read.reason)
        const { concern } = readEvent(read.payload, AT)
        if (concern.about === 'nobody') return
        expect(concern.project).toBeGreaterThan(0)
        if (concern.about === 'branch') expect(concern.branch).not.toBe('')
        else expect(concern.iid).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  test('whatever text comes instead of JSON, and the reason does not quote it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 12 }), (text) => {
        const read = readPayload(`{${text}`)
        if (!read.ok) expect(read.reason).not.toContain(text)
      }),
    )
  })
})
