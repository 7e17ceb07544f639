// update: fields of the merge request, once per event; a text that lacks a part never overwrites what is there.
import { happened, onEvent, overTime } from '../over-time.ts'
import { outcomes, problemsIn, rules } from '../world.ts'

const events = [happened('push')]
const sends = (args: string, fields: Record<string, unknown> = {}) =>
  overTime(fields).sends([onEvent('push', `{ update: ${args} }`)], { events })
const update = (params: object) => [['mergeRequests.update', params]]
const outcome = (args: string, fields: Record<string, unknown>) => {
  const decision = overTime(fields).turn([onEvent('push', `{ update: ${args} }`)], { events })
  expect(decision.calls).toEqual([])
  return outcomes(decision)
}

describe('update', () => {
  it.each([
    ['the title', '{ title: "Draft: {{ title }}" }', { title: 'Draft: Add a door' }],
    ['the description', '{ description: "{{ description }} And shuts." }', { description: 'It opens. And shuts.' }],
    ['the target branch', '{ target_branch: release }', { target_branch: 'release' }],
    ['the lock', '{ lock_discussion: true }', { discussion_locked: true }],
    [
      'only what differs',
      '{ title: Add a door, target_branch: main, lock_discussion: true }',
      { discussion_locked: true },
    ],
  ])('changes %s', (_what, args, expected) => {
    expect(sends(args)).toEqual(update(expected))
  })
  it('sends nothing where it is already as requested', () => {
    const outcomes = outcome('{ title: Add a door, lock_discussion: false }', {})
    expect(outcomes).toEqual(['nothing_to_do: it is already as requested'])
  })
  it('is done once for its event', () => {
    const mr = overTime()
    const texts = [onEvent('push', '{ update: { title: "Draft: {{ title }}" } }')]
    expect([mr.sends(texts, { events }).length, mr.sends(texts, { events }).length]).toEqual([1, 0])
    expect(mr.sends(texts, { events: [happened('push', 'd2')] })).toEqual(update({ title: 'Draft: Draft: Add a door' }))
  })
  it('needs only what it changes', () => {
    expect(sends('{ title: New }', { discussion_locked: undefined, description: undefined })).toEqual(
      update({ title: 'New' }),
    )
  })
})

describe('a description', () => {
  it('keeps whole values as they are', () => {
    const description = `<!-- template --> @alice\n${'x'.repeat(50_000)}`
    expect(sends('{ description: "{{ description }} End." }', { description })).toEqual(
      update({ description: `${description} End.` }),
    )
  })
  it('has no quick actions', () => {
    expect(sends('{ description: "{{ title }}\\n/merge" }', { title: '/approve' })).toEqual(
      update({ description: '\u200b/approve\n\u200b/merge' }),
    )
  })
  it('that cannot be known is not lost', () => {
    expect(outcome('{ description: "{{ description }}, {{ milestone }}" }', { milestone: undefined })).toEqual([
      'blocked: milestone is unknown, so the text would lack it',
    ])
  })
  it('that no service would take is not sent', () => {
    expect(outcome('{ description: "{{ description }}!" }', { description: 'x'.repeat(1_000_000) })).toEqual([
      'blocked: the description would be too long',
    ])
  })
})

describe('a title', () => {
  it('is one line', () => {
    expect(sends('{ title: " {{ description }} " }', { description: 'a\r\nb\n\n/merge' })).toEqual(
      update({ title: 'a b /merge' }),
    )
  })
  it('is cut where the service would refuse it, never through a character', () => {
    const title = `${'x'.repeat(246)}${'🚪'.repeat(4)}`
    const [[, params] = ['', {}]] = sends('{ title: "Draft: {{ title }}" }', { title })
    expect(params.title).toBe(`Draft: ${'x'.repeat(246)}…`)
  })
  it('is never empty', () => {
    expect(outcome('{ title: "{{ description }}" }', { description: '' })).toEqual([
      'blocked: the title would be empty',
    ])
  })
})

it.each([
  [
    'without a field',
    onEvent('push', '{ update: {} }'),
    '5:21: rules[0].then.update: expected a mapping with title, description, target_branch, lock_discussion, found an empty mapping',
  ],
  [
    'with a field that there is not',
    onEvent('push', '{ update: { labels: x } }'),
    '5:23: rules[0].then.update.labels: expected one of the keys title, description, target_branch, lock_discussion, found the unknown key "labels"',
  ],
  [
    'with an empty title',
    onEvent('push', '{ update: { title: "" } }'),
    '5:30: rules[0].then.update.title: expected a text, with {{ fact }} where a fact is to stand, found ""',
  ],
])('update is refused %s', (_what, text, message) => {
  expect(problemsIn(rules(text))).toEqual([`f.yml:${message}`])
})
