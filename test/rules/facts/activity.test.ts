// Versions, and how long nobody but Bellhop did anything.
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { withActivity } from '../../../src/rules/facts/activity.ts'
import { alice, happened } from '../over-time.ts'
import { answer, answers, bot, decideRule, head, type input, refused } from '../world.ts'

// The world's time is 2026-01-11; the merge request and its first version are of 2026-01-01.
const note = (day: string, fields: object = {}) => ({
  created_at: `2026-01-${day}T00:00:00Z`,
  author: { id: 2 },
  system: false,
  ...fields,
})
const version = (day: string, fields: object = {}) => ({
  created_at: `2026-01-${day}T00:00:00Z`,
  head_commit_sha: head,
  ...fields,
})
const found = (
  lists: { notes?: unknown[]; versions?: unknown[]; complete?: boolean },
  changes: Partial<ReturnType<typeof input>> = {},
) => {
  const { notes = [], versions = [version('01')], complete = true } = lists
  const other = { notes: answer(notes, complete), versions: answer(versions) }
  return decideRule('{ inactive_for: { older_than: 5d } }', '{ subscribe: true }', {
    answers: answers({}, other),
    ...changes,
  }).rules[0]?.conditions
}
const pushedBy = (by: object) => ({ memory: { rules: {}, pushes: [{ from: null, to: head, by }] } })

describe('inactive_for', () => {
  it.each([
    ['the opening, where nothing else happened', {}, '10d'],
    ['the newest note of a person', { notes: [note('04'), note('08'), note('02')] }, '3d'],
    ['what the service noted down for a person', { notes: [note('09', { system: true })] }, '2d'],
    ['a note that was changed', { notes: [note('02', { updated_at: '2026-01-10T00:00:00Z' })] }, '1d'],
    ['a note of somebody who is gone', { notes: [note('09', { author: null })] }, '2d'],
    ['a push', { versions: [version('07'), version('01')] }, '4d'],
  ])('is counted from %s', (_what, lists, expected) => {
    expect(found(lists)?.actual).toBe(expected)
  })
  it('is not counted from what Bellhop wrote or changed', () => {
    const own = { author: bot }
    expect(found({ notes: [note('10', own), note('09', { ...own, system: true }), note('03')] })?.actual).toBe('8d')
  })
  it('is not counted from what Bellhop pushed, where it saw the push', () => {
    const versions = [version('10'), version('01', { head_commit_sha: 'b'.repeat(40) })]
    expect(found({ versions }, pushedBy({ id: bot.id }))?.actual).toBe('10d')
    expect(found({ versions }, pushedBy({ username: bot.username }))?.actual).toBe('10d')
    expect(found({ versions }, pushedBy({ id: 2, username: bot.username }))?.actual).toBe('1d')
    expect(found({ versions })?.actual).toBe('1d')
  })
  it.each([
    ['there are more notes than were read', { notes: [note('02')], complete: false }],
    ['a note does not say when it was', { notes: [note('02', { created_at: 'then' })] }],
    ['a version does not', { versions: [{}] }],
    ['an entry is none', { notes: [null] }],
  ])('is unknown where %s', (_what, lists) => {
    expect(found(lists)?.verdict).toBe('unknown')
  })
  it('is unknown where one of its sources is', () => {
    for (const name of ['mergeRequest', 'notes', 'versions'])
      expect(found({}, { answers: { ...answers(), [name]: refused(403) } })?.actual).toBe('unknown: 403')
  })
  it.each([[[]], [[note('03')]]])(
    'is counted from what Bellhop remembers, where it is newer than the notes %j',
    (notes) => {
      expect(found({ notes }, { memory: { ...emptyMemory(), activeAt: '2026-01-07T00:00:00Z' } })?.actual).toBe('4d')
    },
  )
  it('becomes true by itself', () => {
    const decision = decideRule('{ inactive_for: { older_than: 30d } }', '{ subscribe: true }')
    expect(decision.changesAt).toBe('2026-01-31T00:00:00.001Z')
  })
})

it.each([
  [[version('01'), version('02')], true, '{ more_than: 1 }', 'true'],
  [[version('01')], true, '{ more_than: 1 }', 'false'],
  [[version('01')], false, '{ more_than: 1 }', 'unknown'],
])('versions_count of %j, whole: %s, %s is %s', (versions, complete, condition, verdict) => {
  const decision = decideRule(`{ versions_count: ${condition} }`, '{ subscribe: true }', {
    answers: answers({}, { versions: answer(versions, complete) }),
  })
  expect(decision.rules[0]?.verdict).toBe(verdict)
})

const changed = (kind: string, day: string, actor = alice) =>
  happened(kind, day, { actor, at: `2026-01-${day}T00:00:00Z`, changed: ['labels'] })
const remembered = { ...emptyMemory(), activeAt: '2026-01-07T00:00:00Z' }

it('remembers the newest change of a person, not of Bellhop or of a pipeline', () => {
  const events = [
    changed('merge_request.update', '07'),
    changed('merge_request.update', '05'),
    changed('merge_request.update', '09', bot),
    changed('pipeline.success', '10'),
  ]
  expect(withActivity(emptyMemory(), events, bot)).toEqual(remembered)
})
it('remembers changes of an issue too', () => {
  expect(withActivity(emptyMemory(), [changed('issue.update', '07'), changed('issue.close', '08', bot)], bot)).toEqual(
    remembered,
  )
})
it('keeps what it knows where the events are older, or there is none', () => {
  expect(withActivity(remembered, [changed('note.create', '06')], bot)).toEqual(remembered)
  expect(withActivity(emptyMemory(), [], bot)).toEqual(emptyMemory())
})
