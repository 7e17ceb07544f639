// A delivery's summary: whatever the payload, a result of bounded size, and never a throw.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { longest } from '../../../src/bot/intake/events/event-fields.ts'
import { bodyWithoutTexts, readDelivery } from '../../../src/bot/intake/read-delivery.ts'
import { eventKinds, unsupportedEvents } from '../../../src/rules/language/events.ts'
import { anyText } from '../../any-text.ts'

const AT = '2026-11-21T12:00:00.000Z'
const A = 'a'.repeat(40)
const huge = 'x'.repeat(200_000)
/** Longer than any limit. */
const long = 'x'.repeat(3_000)

/** The most characters of the text at the end of such a path. */
const limits: [RegExp, number][] = [
  [/^event\.kind$/, 'merge_request.'.length + longest.word],
  [/^event\.(actor\.username|target)$/, longest.name],
  [/^(event\.ref|push\.(branch|defaultBranch)|concern\.branch)$/, longest.ref],
  [/^(event\.head|event\.pushed\.(from|to)|event\.pipeline\.sha|concern\.sha|push\.(from|to))$/, longest.sha],
  [/^event\.(pipeline\.(status|source)|changed\.\d+|at|refChange)$/, longest.word],
  [/^origin\.branch$/, 1_000],
  [/^name\.title$/, longest.name],
  [/^(projectPath|name\.url)$/, longest.path],
  [/^concern\.(about|reason)$/, 300],
  [/^content$/, 32],
]

/** Each text with its path. */
function textsIn(value: unknown, path: string[] = []): [string, string][] {
  if (typeof value === 'string') return [[path.join('.'), value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, [...path, key]))
}

/** What is longer than it may be, or is of a field without a limit. */
function tooLong(payload: unknown): string[] {
  const read = readDelivery(JSON.stringify(payload), AT)
  if (!read.ok) return read.reason.length > 300 ? ['reason'] : []
  return textsIn(read.summary).flatMap(([path, text]) => {
    const limit = limits.find(([pattern]) => pattern.test(path))?.[1] ?? -1
    return text.length > limit ? [`${path}: ${text.length}`] : []
  })
}

describe('a stored text is never longer than its limit', () => {
  const kinds = [...eventKinds.map((kind) => kind.split('.')[0] ?? kind), 'work_item', 'moonrise']
  const all = [...new Set([...kinds, ...unsupportedEvents.flatMap((each) => each.kinds)])]
  const text = fc.oneof(
    fc.constantFrom(long, `refs/heads/${long}`, `refs/tags/${long}`, 'refs/heads/main', A, '0'.repeat(3_000)),
    anyText(),
  )
  const odd = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({}))
  const some = (names: string) => fc.dictionary(fc.constantFrom(...names.split(' ')), odd, { maxKeys: 10 })
  const link = fc.record({
    iid: fc.constant(2),
    last_commit: fc.record({ id: text }),
    source_branch: text,
    target_branch: text,
    target_project_id: fc.constantFrom(7, 0, undefined),
  })
  const payload = fc.record({
    object_kind: fc.oneof(fc.constantFrom(...all), text),
    user: some('id username'),
    project: some('id path_with_namespace default_branch'),
    merge_request: fc.oneof(link, odd),
    changes: fc.oneof(
      fc.dictionary(text, odd, { maxKeys: 3 }),
      fc.constant({ labels: { previous: [], current: [{ title: long }] } }),
    ),
    object_attributes: fc
      .tuple(link, some('id action oldrev status sha ref source note updated_at noteable_type'))
      .map(([first, second]) => ({ ...first, ...second })),
    more: some('event_name project_id user_id user_username ref before after action status tag'),
  })

  test('for any payload', () => {
    fc.assert(
      fc.property(payload, ({ more, ...fields }) => {
        expect(tooLong({ ...more, ...fields })).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['a push', { object_kind: 'push', project_id: 7, ref: `refs/heads/main${huge}`, before: A, after: A }],
    ['a tag', { object_kind: 'tag_push', project_id: 7, ref: `refs/tags/main${huge}`, before: A, after: A }],
    ['a pipeline', { object_kind: 'pipeline', project: { id: 7 }, object_attributes: { ref: `main${huge}`, sha: A } }],
    ['a release', { object_kind: 'release', project: { id: 7 }, action: 'create', tag: `main${huge}` }],
    ['a deployment', { object_kind: 'deployment', project: { id: 7 }, status: 'success', ref: `main${huge}` }],
  ])('%s with an endless name has no branch or tag, in place of another one', (_what, given) => {
    const read = readDelivery(JSON.stringify(given), AT)
    expect(read).toMatchObject({ ok: true, summary: { concern: { about: 'none' } } })
    expect(read.ok && [read.summary.event.ref, read.summary.push]).toEqual([undefined, undefined])
  })

  test('an endless user name or commit is no other one', () => {
    const given = {
      ...{ object_kind: 'merge_request', project: { id: 7 }, user: { id: 3, username: `ann${huge}` } },
      object_attributes: { iid: 2, oldrev: A, last_commit: { id: `${A}${huge}` }, target_branch: `main${huge}` },
    }
    const read = readDelivery(JSON.stringify(given), AT)
    expect(read.ok && read.summary.event).toEqual({
      ...{ kind: 'merge_request.update', actor: { id: 3 }, at: AT, project: 7, iid: 2 },
    })
  })
})

const folder = new URL('../../../../shared/payloads/', import.meta.url)
const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  : []

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const readParts = ['object_attributes', 'user', 'project', 'merge_request', 'repository']

/** The payload with one field missing or of another value, for each field down to the second level. */
function* mutations(payload: Json): Generator<Json> {
  const values = [undefined, null, -1, 'x'.repeat(3_000), [null], { id: {} }]
  for (const [key, before] of Object.entries(payload)) {
    for (const value of values) yield { ...payload, [key]: value }
    if (!isObject(before) || !readParts.includes(key)) continue
    for (const inner of Object.keys(before))
      for (const value of values) yield { ...payload, [key]: { ...before, [inner]: value } }
  }
}

/** Without what no event is read from, which makes most of the size. */
function essential(payload: Json): Json {
  const { commits: _, builds: __, repository, project, ...rest } = payload
  return {
    ...rest,
    ...(isObject(project) && { project: { id: project.id, path_with_namespace: project.path_with_namespace } }),
    ...(isObject(repository) && { repository: { homepage: repository.homepage } }),
  }
}

describe.skipIf(files.length === 0)('the corpus (skipped where ../shared/payloads is absent)', () => {
  test.each(files)('%s has a bounded summary, whatever one field is', (name) => {
    const payload: Json = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    expect(tooLong(payload)).toEqual([])
    let count = 0
    for (const mutated of mutations(essential(payload))) {
      count += 1
      const found = tooLong(mutated)
      if (found.length > 0) expect.fail(`${JSON.stringify(mutated).slice(0, 2_000)}: ${found.join(', ')}`)
    }
    expect(count).toBeGreaterThan(10)
  })
})

const secret = 'the vault is open'
const texts = { title: secret, description: secret, note: secret, last_commit: { message: secret } }
const label = (title: string) => ({ id: 1, title, description: secret })
const payload = {
  ...{ object_kind: 'note', event_type: 'confidential_note', user: { id: 3, username: 'ann', name: secret } },
  ...{ project: { id: 7, path_with_namespace: 'hotel/app', description: secret }, repository: { description: secret } },
  object_attributes: {
    ...{ id: 31, noteable_type: 'Issue', action: 'update', updated_at: AT, source: { text: secret } },
    ...texts,
  },
  issue: { iid: 4, project_id: 7, confidential: true, url: 'https://code.example/hotel/app/-/issues/4', ...texts },
  note: texts,
  changes: {
    title: { previous: secret, current: secret },
    labels: { previous: [], current: [label('bug')], more: secret },
  },
}

test('has no text of the issue or note, and says so', () => {
  const stored = bodyWithoutTexts(JSON.stringify(payload))
  expect(stored).not.toContain('vault')
  expect(JSON.parse(stored)).toMatchObject({ not_stored: expect.stringContaining('confidential') })
})

test('is read as the delivery was: a replay needs no more', () => {
  const summary = (body: string) => {
    const read = readDelivery(body, AT)
    if (!read.ok) throw new Error(read.reason)
    const { content: _content, ...rest } = read.summary
    return rest
  }
  const before = summary(JSON.stringify(payload))
  const after = summary(bodyWithoutTexts(JSON.stringify(payload)))
  // Without the text, a command may be in it.
  expect({ ...after, event: { ...after.event, note: before.event.note } }).toEqual(before)
  expect(after.event.note?.mentions).toBe(true)
})

test('is empty where nothing can be read', () => {
  for (const body of ['', '[]', '{"title":"the vault', '{}']) expect(bodyWithoutTexts(body)).toBe('')
})
