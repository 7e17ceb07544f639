// A change of labels with a lost response: what a person undid since stays undone, and what never came is sent again.
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { DecideInput, Memory } from '../../../../src/rules/types.ts'
import { alice, happened, onEvent, whileOn } from '../../over-time.ts'
import { answer, answers, bot, came, decidedBy, refused, rule, rules, sent } from '../../world.ts'

const AT = '2026-01-11T00:00:00.300Z'
const CHANGED = '2026-01-11T00:00:00.100Z'
const LATER = '2026-01-11T00:00:06Z'
const adds = rule('{ state: opened }', '{ label: { add: x } }')
const add: [string, object] = ['mergeRequests.update', { add_labels: 'x' }]

/** A change of a label as the service records it, by Bellhop two seconds later unless it says something else. */
const recorded = (action: string, name = 'x', user: object = bot, created_at = '2026-01-11T00:00:02Z') => ({
  ...{ action, label: { name }, user, created_at },
})

/** What is remembered after the answer to the only call was lost. */
function lost(text: string, labels: string[] = [], changes: Partial<DecideInput> = {}, updated_at = CHANGED): Memory {
  const decision = decidedBy(rules(text), { now: AT, answers: answers({ labels, updated_at }), ...changes })
  expect(decision.calls).toHaveLength(1)
  return remember(changes.memory ?? emptyMemory(), {
    ...decision,
    responses: decision.calls.map((call) => came(call, 'ambiguous')),
  })
}

function next(
  text: string,
  memory: Memory,
  labels: string[],
  events: object[] = [],
  changes: Partial<DecideInput> = {},
) {
  const read = answers({ labels, updated_at: LATER }, { labelEvents: answer(events) })
  const decision = decidedBy(rules(text), { memory, now: LATER, answers: read, ...changes })
  return { sends: sent(decision), came: decision.settled?.outcome, after: remember(memory, decision) }
}

describe('a label that was put on without a response, and is not there', () => {
  it('stays off where the service recorded that Bellhop put it on, for as long as the rule stays true', () => {
    const {
      sends,
      came: settled,
      after,
    } = next(adds, lost(adds), [], [recorded('add'), recorded('remove', 'x', alice)])
    expect([settled, sends]).toEqual(['done', []])
    expect(next(adds, after, []).sends).toEqual([])
  })

  it.each<[string, object[]]>([
    ['nothing is recorded', []],
    ['other labels were changed', [recorded('add', 'y'), recorded('remove', 'x')]],
    ['somebody else put it on', [recorded('add', 'x', alice), recorded('add', 'x', { id: null })]],
    ['Bellhop put it on before the evaluated state', [recorded('add', 'x', bot, '2026-01-11T00:00:00.050Z')]],
    ['a record has no time that can be read, or no label', [recorded('add', 'x', bot, 'yesterday'), { label: null }]],
  ])('is put on again where %s', (_how, events) => {
    const { sends, came: settled } = next(adds, lost(adds), [], events)
    expect([settled, sends]).toEqual(['not_done', [add]])
  })

  it('is put on again where the record cannot be read, or the evaluated state had no time', () => {
    const unread = answers({ labels: [] }, { labelEvents: refused(403) })
    expect(next(adds, lost(adds), [], [], { answers: unread }).sends).toEqual([add])
    expect(next(adds, lost(adds, [], {}, ''), [], [recorded('add')]).sends).toEqual([add])
  })
})

it('of labels that were put on in one call, those that are missing are put on unless all are recorded', () => {
  const both = rule('{ state: opened }', '{ label: { add: [x, y] } }')
  expect(next(both, lost(both), ['x'], [recorded('add'), recorded('add', 'y')]).sends).toEqual([])
  expect(next(both, lost(both), ['y'], [recorded('add', 'y', alice)]).sends).toEqual([add])
})

it('a label that was taken off without a response, and is there, stays on where that is recorded', () => {
  const takes = rule('{ state: opened }', '{ label: { remove: x } }')
  expect(next(takes, lost(takes, ['x']), ['x'], [recorded('remove'), recorded('add', 'x', alice)]).sends).toEqual([])
  expect(next(takes, lost(takes, ['x']), ['x'], [recorded('add', 'x', alice)]).sends).toEqual([
    ['mergeRequests.update', { remove_labels: 'x' }],
  ])
})

describe('label: while, without a response', () => {
  const held = whileOn('{ label: { while: x } }')
  const holding = { memory: { ...emptyMemory(), of: { label: ['x'] } } }
  const off = [['mergeRequests.update', { remove_labels: 'x' }]]

  it('is kept while the rule matches, no matter who removes it', () => {
    expect(next(held, lost(held, ['on']), ['on'], [recorded('add')]).sends).toEqual([add])
  })
  it('is Bellhop’s to take off also where it came', () => {
    const { after } = next(held, lost(held, ['on']), ['on', 'x'])
    expect(next(held, after, ['x']).sends).toEqual(off)
  })
  it('is withdrawn where it was not, and not when somebody has added it since', () => {
    const { sends, after } = next(held, lost(held, ['x'], holding), ['x'], [recorded('remove')])
    expect([sends, after.of?.label]).toEqual([[], undefined])
    expect(next(held, lost(held, ['x'], holding), ['x']).sends).toEqual(off)
  })
})

describe('what went with the same call', () => {
  const closes = onEvent('push', '{ label: { add: x }, close: true }')
  const events = [happened('push', 'd1')]
  const memory = lost(closes, [], { events })

  it('is not done again where the label is recorded: somebody has reopened it, or taken the label off', () => {
    for (const labels of [['x'], []])
      expect(next(closes, memory, labels, [recorded('add')], { events }).sends).toEqual([])
  })
  it('is done where nothing is recorded, whatever others did with the label', () => {
    const sends = [['mergeRequests.update', { add_labels: 'x', state_event: 'close' }]]
    expect(next(closes, memory, [], [recorded('add', 'x', alice)], { events }).sends).toEqual(sends)
    expect(next(closes, memory, ['x'], [], { events }).sends).toEqual([
      ['mergeRequests.update', { state_event: 'close' }],
    ])
  })
})

it('what others did while the answer was awaited counts as activity', () => {
  const memory = { ...lost(adds), activeAt: '2026-01-11T00:00:02Z' }
  expect(next(adds, memory, [], [recorded('add')]).after.activeAt).toBe('2026-01-11T00:00:02Z')
})
