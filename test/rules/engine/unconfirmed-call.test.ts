// A call whose response was lost or whose sender was killed: the state shows its outcome, and it is never made twice.
import { actions } from '../../../src/rules/actions/index.ts'
import { emptyMemory, remember, staysPending } from '../../../src/rules/engine/update-memory.ts'
import type { Call, DecideInput, Memory, SourceAnswers } from '../../../src/rules/types.ts'
import { happened, onEvent } from '../over-time.ts'
import {
  answer,
  answers,
  approvedByBot,
  bot,
  came,
  decidedBy,
  refused,
  rememberAs,
  rememberDone,
  rule,
  rules,
  sent,
} from '../world.ts'

const pushed = (id: string) => happened('push', id)
const LATER = '2026-01-11T00:00:06Z'
const spent = (seconds: number) => answers({ time_stats: { time_estimate: 0, total_time_spent: seconds } })

/** Decides, loses the answer of the last call, and gives the memory. */
function loseAnswer(text: string, changes: Partial<DecideInput> = {}): { memory: Memory; calls: Call[] } {
  const decision = decidedBy(rules(text), changes)
  const last = decision.calls.length - 1
  const responses = decision.calls.map((call, at) => came(call, at === last ? 'ambiguous' : 'done'))
  return { memory: remember(changes.memory ?? emptyMemory(), { ...decision, responses }), calls: decision.calls }
}

const next = (text: string, memory: Memory, changes: Partial<DecideInput> = {}) =>
  decidedBy(rules(text), { memory, now: LATER, ...changes })

describe('time that was booked without a response', () => {
  const books = onEvent('push', '{ spend: 15m }')
  const events = [pushed('d1')]

  it('is not booked again where it was counted, and the event is processed', () => {
    const { memory } = loseAnswer(books, { events })
    const decision = next(books, memory, { events, answers: spent(900) })
    expect([decision.calls, decision.settled]).toMatchObject([[], { outcome: 'done' }])
    const after = remember(memory, decision)
    expect(after.pending).toBeUndefined()
    expect(next(books, after, { events, answers: spent(900) }).calls).toEqual([])
  })

  it('is booked where it was not counted, but not before the service had time to', () => {
    const { memory, calls } = loseAnswer(books, { events })
    const waits = next(books, memory, { events, now: '2026-01-11T00:00:02Z' })
    expect(waits).toMatchObject({
      calls: [],
      paused: expect.stringMatching(/response to spend was lost/),
      againInMs: 3001,
    })
    const still = remember(memory, waits)
    expect(still.pending).toEqual(memory.pending)
    expect(next(books, still, { events })).toMatchObject({ calls, settled: { outcome: 'not_done' } })
  })

  it('is neither booked again nor forgotten where somebody else has booked as well: it is shown', () => {
    const { memory } = loseAnswer(books, { events })
    const decision = next(books, memory, { events, answers: spent(1000) })
    expect([decision.calls, decision.settled]).toMatchObject([
      [],
      { outcome: 'unknown', detail: expect.stringMatching(/it is not repeated$/) },
    ])
    const after = remember(memory, decision)
    const later = next(books, after, { events: [...events, pushed('d2')], answers: spent(1000) })
    expect(later.calls.flatMap((call) => call.rules)).toEqual(['rules/test.yml#the event rule@d2'])
    expect(later.uncertain).toEqual([expect.stringContaining('the state does not tell whether it was done')])
  })

  it('leaves a status as it was set meanwhile', () => {
    const both = `${books}${rule('{ labels: ready }', '{ status: { name: a } }')}`
    const ready = (more: number) => answers({ labels: ['ready'], time_stats: { total_time_spent: more } })
    const first = rememberDone(emptyMemory(), decidedBy(rules(both), { answers: ready(0) }))
    const { memory } = loseAnswer(both, { events, memory: first, answers: ready(0) })
    const soon = decidedBy(rules(both), { memory, events, now: '2026-01-11T00:00:02Z', answers: spent(0) })
    expect(soon.calls.map(({ params }) => params.state)).toEqual(['failed'])
    const failed = rememberDone(memory, soon)
    const settled = next(both, failed, { events, answers: ready(900) })
    expect(settled.settled?.outcome).toBe('done')
    expect(settled.calls.map(({ params }) => params.state)).toEqual(['success'])
  })

  it('is not booked again where the merge request can no longer be read', () => {
    const { memory } = loseAnswer(books, { events })
    const gone = next(books, memory, { events, answers: { mergeRequest: refused() } })
    expect([gone.calls, gone.settled?.outcome]).toEqual([[], 'unknown'])
    expect(next(books, remember(memory, gone), { events }).calls).toEqual([])
  })

  it('is read again also while a label turns Bellhop off: its event stays pending', () => {
    const { memory } = loseAnswer(books, { events })
    const off = { events, offLabel: 'off', now: '2026-01-11T00:00:02Z', answers: answers({ labels: ['off'] }) }
    expect(next(books, memory, off)).toMatchObject({ calls: [], againInMs: 3001 })
  })

  it.each([
    ['done', 900],
    ['not_done', 0],
    ['unknown', 60],
  ])('keeps what deliveries changed in the meantime, where it was %s', (outcome, seconds) => {
    const { memory } = loseAnswer(books, { events })
    const heard = { pushes: [{ from: null, to: 'c'.repeat(40), by: { id: 2 } }], activeAt: '2026-01-11T00:00:05Z' }
    const decision = next(books, { ...memory, ...heard }, { events, answers: spent(seconds) })
    expect(decision.settled?.outcome).toBe(outcome)
    expect(remember({ ...memory, ...heard }, decision)).toMatchObject(heard)
  })

  it('counts what the same decision had booked before', () => {
    const two = [pushed('d1'), pushed('d2')]
    const { memory } = loseAnswer(books, { events: two })
    expect(next(books, memory, { events: two, answers: spent(1800) }).settled?.outcome).toBe('done')
    const again = next(books, memory, { events: two, answers: spent(900) })
    expect([again.settled?.outcome, again.calls.flatMap((call) => call.rules)]).toEqual([
      'not_done',
      ['rules/test.yml#the event rule@d2'],
    ])
  })
})

describe('a note that was written without a response', () => {
  const writes = rule('{ draft: false }', '{ comment: "Thank you." }')
  const { memory, calls } = loseAnswer(writes)
  const notes = (body: unknown): SourceAnswers =>
    answers({}, { notes: answer([{ id: 3, body, author: bot, system: false }]) })

  it('is found by its mark, and not written again', () => {
    const decision = next(writes, memory, { answers: notes(calls[0]?.params.body) })
    expect([decision.calls, decision.settled]).toMatchObject([[], { outcome: 'done' }])
    // A person deletes it: it was done.
    expect(next(writes, remember(memory, decision)).calls).toEqual([])
  })
  it('is written where it is not there', () => {
    expect(next(writes, memory).calls).toEqual(calls)
  })
  it('is not written where the notes cannot be read to their end', () => {
    const cut = answers({}, { notes: { ok: true, complete: false, body: [] } })
    expect(next(writes, memory, { answers: cut })).toMatchObject({ calls: [], settled: { outcome: 'unknown' } })
  })
})

describe('a title that was changed without a response', () => {
  const prefixes = onEvent('push', '{ update: { title: "Draft: {{ title }}" } }')
  const events = [pushed('d1')]
  const { memory } = loseAnswer(prefixes, { events })
  const titled = (title: string) => next(prefixes, memory, { events, answers: answers({ title }) })

  it.each([
    ['Draft: Add a door', 'done', []],
    ['Draft: Add a door ', 'done', []],
    ['Add a door', 'not_done', [['mergeRequests.update', { title: 'Draft: Add a door' }]]],
    ['Something else', 'unknown', []],
  ] as const)('and is %j now: %s', (title, settled, calls) => {
    const decision = titled(title)
    expect([decision.settled?.outcome, sent(decision)]).toEqual([settled, calls])
  })
  it('goes with other changes of the same call, which were done or not as a whole', () => {
    const both = `${prefixes}${onEvent('push', '{ label: { add: x } }', 'other')}`
    const lost = loseAnswer(both, { events })
    expect(lost.calls).toHaveLength(1)
    const decision = next(both, lost.memory, {
      events,
      answers: answers({ title: 'Draft: Add a door', labels: ['x'] }),
    })
    expect([decision.settled?.outcome, decision.calls]).toEqual(['done', []])
    expect(
      next(both, remember(lost.memory, decision), { events, answers: answers({ title: 'Draft: Add a door' }) }).calls,
    ).toEqual([])
  })
})

it('a part of a call that is proved to be there proves the whole, though another part was changed since', () => {
  const both = `${onEvent('push', '{ update: { title: "Draft: {{ title }}" } }')}${onEvent('push', '{ label: { add: x } }', 'other')}`
  const { memory } = loseAnswer(both, { events: [pushed('d1')] })
  const own = { action: 'add', label: { name: 'x' }, user: bot, created_at: '2026-01-11T00:00:01Z' }
  const read = answers({ title: 'Something else', labels: ['x'] }, { labelEvents: answer([own]) })
  const decision = next(both, memory, { events: [pushed('d1')], answers: read })
  expect([decision.settled?.outcome, decision.calls]).toEqual(['done', []])
})

describe('a rebase without a response', () => {
  const rebases = rule('{ draft: false }', '{ rebase: true }')
  const { memory, calls } = loseAnswer(rebases)

  it('was done where the head is another or the service is rebasing, and is not done again', () => {
    for (const fields of [{ sha: 'b'.repeat(40) }, { rebase_in_progress: true }])
      expect(next(rebases, memory, { answers: answers(fields) })).toMatchObject({
        calls: [],
        settled: { outcome: 'done' },
      })
  })
  it('is done where the head is the same', () => {
    expect(next(rebases, memory).calls).toEqual(calls)
  })
})

it.each([
  ['an event', onEvent('push', '{ spend: 15m }')],
  ['the state', rule('{ draft: false }', '{ label: { add: x } }')],
])('while the outcome of a call that %s requested is unknown, the events stay pending', (_of, text) => {
  const events = [pushed('d1')]
  const { memory } = loseAnswer(text, { events })
  const waits = next(text, memory, { events, now: '2026-01-11T00:00:02Z' })
  expect([waits.calls, staysPending(waits, remember(memory, waits))]).toEqual([[], true])
})

describe('what shows in the state', () => {
  it('needs no checkpoint: only what still differs is sent, also for an event', () => {
    const subscribes = onEvent('push', '{ subscribe: true }')
    const events = [pushed('d1')]
    const { memory } = loseAnswer(subscribes, { events })
    expect(memory.pending).toBeUndefined()
    expect(next(subscribes, memory, { events }).calls).toHaveLength(1)
    expect(next(subscribes, memory, { events, answers: answers({ subscribed: true }) }).calls).toEqual([])
  })
  it('is withdrawn though the sender was killed before it could remember: an approval', () => {
    const approves = rule('{ draft: false }', '{ approve: true }')
    const { memory } = loseAnswer(approves)
    const decision = next(approves, memory, { answers: answers({ work_in_progress: true }, approvedByBot) })
    expect(sent(decision)).toEqual([['mergeRequests.unapprove', {}]])
  })
})

it('every action that stores the state before a call can find its outcome', () => {
  const telling = Object.values(actions).filter(({ reconcile: tells }) => tells !== undefined)
  expect(telling.map(({ name }) => name).sort()).toEqual(['comment', 'label', 'pipeline', 'rebase', 'spend', 'update'])
})

it('a refusal is no lost response', () => {
  const decision = decidedBy(rules(onEvent('push', '{ spend: 15m }')), { events: [pushed('d1')], answers: spent(0) })
  expect(rememberAs('refused', decision).pending).toBeUndefined()
  expect(decision.calls[0]?.before).toBe(0)
})
