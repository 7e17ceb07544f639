// Time figures of one merge request: which act counts, and that waiting times add up whatever comes in what order.
import fc from 'fast-check'
import {
  actsAfter,
  type MergeRequestTimes,
  noActs,
  spansOf,
  waitsAfter,
} from '../../../src/rules/explain/time-figures.ts'
import { waitingCauseNames } from '../../../src/rules/language/values/rule-types.ts'
import type { Event } from '../../../src/rules/types.ts'

const start = Date.parse('2026-11-23T08:00:00Z')
const minutes = (number: number) => number * 60_000
const happened = (kind: string, after: number, username = 'bob'): Event => ({
  ...{ kind, actor: { username }, at: new Date(start + minutes(after)).toISOString(), project: 1, iid: 7 },
})
const opened = (after = 0) => happened('merge_request.open', after, 'alice')
const merged = (after: number) => happened('merge_request.merge', after)
type Evaluation = Parameters<typeof waitsAfter>[1]
const waits = (after: number, waitsFor?: (typeof waitingCauseNames)[number]): Evaluation => ({
  ...{ at: start + minutes(after), waitsFor, bot: 'bellhop' },
})
type Change = Event | Evaluation
const timesAfter = (times: MergeRequestTimes, change: Change): MergeRequestTimes => ({
  ...times,
  ...('kind' in change ? actsAfter(times, change) : waitsAfter(times, change)),
})
const storedAfter = (changes: readonly Change[]) => changes.reduce(timesAfter, { ...noActs, waits: [] })
const spans = (...changes: Change[]) => {
  const found = spansOf(storedAfter(changes))
  const took = (span?: { tookMs: number }) => span && span.tookMs / minutes(1)
  return found && Object.fromEntries(Object.entries(found).map(([name, span]) => [name, took(span)]))
}

describe('the times of a merge request', () => {
  it('count from its opening to the first note or approval, the first approval, and the merge', () => {
    const all = [opened(), happened('note.create', 10), happened('merge_request.approved', 30), merged(45)]
    expect(spans(...all)).toEqual({ first_review: 10, approval: 30, merge: 45 })
  })
  it('leave out a note on the issue with its number', () => {
    expect(actsAfter(noActs, { ...happened('note.create', 10), iid: -7 })).toBeUndefined()
  })
  it('count an approval as a review', () => {
    expect(spans(opened(), happened('merge_request.approval', 5))).toEqual({ first_review: 5, approval: 5 })
  })
  it.each([
    ['its author', 'alice'],
    ['the user of a project access token', 'project_12_bot_0a1b2c'],
    ['the user of a group access token', 'group_3_bot_0a1b2c'],
    ['a service account', 'service_account_0a1b2c'],
    ['a bot by its name', 'renovate-bot'],
  ])('leave out what %s writes', (_, username) => {
    const others = [happened('note.create', 1, username), happened('merge_request.approved', 2, username)]
    expect(spans(opened(), ...others, happened('note.create', 9))).toEqual({ first_review: 9 })
  })
  it('leave out what Bellhop writes, once an evaluation named its user', () => {
    expect(spans(opened(), happened('note.create', 1, 'bellhop'), waits(2), happened('note.create', 9))).toEqual({
      first_review: 9,
    })
  })
  it('leave out what its author and Bellhop write, also where both came first', () => {
    const early = [
      happened('note.create', 1, 'bellhop'),
      happened('note.create', 2, 'alice'),
      happened('note.create', 9),
    ]
    expect(spans(...early, opened(), waits(10))).toEqual({ first_review: 9 })
  })
  it('leave out what is written after the merge', () => {
    expect(spans(opened(), merged(5), happened('note.create', 6))).toEqual({ merge: 5 })
  })
  it('are unknown where the opening was not seen', () => {
    expect(spans(happened('note.create', 1), merged(5))).toBeUndefined()
  })
  it('are never negative, where the opening is seen late', () => {
    expect(spans(happened('note.create', 1), opened(5), merged(4))).toEqual({ first_review: 0, merge: 0 })
  })
  it('do not change with an event that says nothing of them, or comes again', () => {
    const times = storedAfter([opened(), merged(5)])
    for (const change of [opened(3), merged(9), happened('push', 1), happened('merge_request.update', 1)])
      expect(actsAfter(times, change)).toBeUndefined()
    expect(actsAfter(undefined, { kind: 'note.create', actor: {}, at: 'never', iid: 1 })).toBeUndefined()
  })
})

describe('waiting', () => {
  it('counts for each cause from the evaluation that found it to the next that found another', () => {
    const all = [opened(), waits(1, 'pipeline'), waits(11, 'review'), waits(31), waits(40, 'pipeline'), merged(45)]
    expect(spans(...all)).toEqual({ merge: 45, waiting_pipeline: 15, waiting_review: 20 })
  })
  it('ends with the merge, though an evaluation comes later', () => {
    expect(spans(opened(), waits(0, 'queue'), merged(5), waits(9))).toEqual({ merge: 5, waiting_queue: 5 })
  })
  it('begins with the opening, though an evaluation came before', () => {
    expect(spans(waits(0, 'review'), opened(2), merged(5))).toEqual({ merge: 3, waiting_review: 3 })
  })
  it('counts nothing before the merge', () => {
    expect(spans(opened(), waits(0, 'review'), waits(9))).toEqual({})
  })
  it('counts nothing more after many changes, so that the record stays small', () => {
    const many = Array.from({ length: 500 }, (_, n) => waits(n, n % 2 === 0 ? 'review' : 'pipeline'))
    const times = storedAfter([opened(), ...many])
    expect(times.waits).toHaveLength(200)
    expect(spans(opened(), ...many, merged(1000))).toEqual({ merge: 1000, waiting_review: 100, waiting_pipeline: 99 })
  })
})

const minute = fc.integer({ min: 0, max: 300 })
const event = fc
  .tuple(
    fc.constantFrom('note.create', 'merge_request.approval', 'merge_request.merge', 'merge_request.open'),
    minute,
    fc.constantFrom('alice', 'bob', 'carol', 'dave', 'erin', 'bellhop', 'a-bot'),
  )
  .map((given) => happened(...given))
const evaluation = fc
  .tuple(minute, fc.option(fc.constantFrom(...waitingCauseNames), { nil: undefined }))
  .map((given) => waits(...given))

describe('whatever comes', () => {
  it('no time is negative, and waiting is at most the time to the merge', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(event, evaluation), { maxLength: 40 }), (changes) => {
        const found = spansOf(storedAfter(changes)) ?? {}
        const took = Object.values(found).map((span) => span?.tookMs ?? 0)
        expect(Math.min(0, ...took)).toBe(0)
        const waited = Object.entries(found).flatMap(([name, span]) =>
          name.startsWith('waiting_') ? [span.tookMs] : [],
        )
        expect(waited.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(found.merge?.tookMs ?? 0)
      }),
    )
  })
  it('the order of deliveries, and how often each comes, make no difference', () => {
    const shuffled = fc
      .array(event, { maxLength: 12 })
      .chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2, maxLength: all.length * 2 }),
        ),
      )
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        // Two openings at one time may differ in who opened: the service tells one.
        const opens = all.filter(({ kind }) => kind === 'merge_request.open')
        fc.pre(opens.length <= 1)
        expect(storedAfter(other)).toEqual(storedAfter(all))
      }),
    )
  })
})
