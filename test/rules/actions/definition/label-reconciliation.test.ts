// A change of labels with a lost response: what a person undid since stays undone, and what never came is sent again.
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { Actor, Occurrence } from '../../../../src/rules/event-types.ts'
import type { DecideInput, Memory } from '../../../../src/rules/types.ts'
import { alice, happened, onEvent, whileOn } from '../../over-time.ts'
import { answers, bot, came, decidedBy, rule, rules, sent } from '../../world.ts'

const AT = '2026-01-11T00:00:00.300Z'
const JUDGED = { at: '2026-01-11T00:00:00.100Z', second: '2026-01-11 00:00:00 UTC' }
const LATER = '2026-01-11T00:00:06Z'
const adds = rule('{ state: opened }', '{ label: { add: x } }')
const add: [string, object] = ['mergeRequests.update', { add_labels: 'x' }]

const labelled = (labels: string[], updated_at = LATER, more: object = {}) => answers({ labels, updated_at, ...more })

/** What a delivery says of labels; of six seconds later, unless it says something else. */
function told(
  actor: Actor,
  change: { added?: string[]; removed?: string[] },
  id = 'later',
  at = '2026-01-11 00:00:02 UTC',
): Occurrence {
  return happened('merge_request.update', id, {
    actor,
    changed: ['labels'],
    labels: { added: [], removed: [], ...change, at },
  })
}

/** What is remembered after the answer to the only call was lost. */
function lost(text: string, changes: Partial<DecideInput> = {}): Memory {
  const decision = decidedBy(rules(text), { now: AT, answers: labelled([], JUDGED.at), ...changes })
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
  events: Occurrence[],
  changes: Partial<DecideInput> = {},
) {
  const decision = decidedBy(rules(text), { memory, now: LATER, answers: labelled(labels), events, ...changes })
  return { sends: sent(decision), came: decision.settled?.outcome, after: remember(memory, decision), decision }
}

describe('a label that was put on without a response, and is not there', () => {
  it.each<[string, Occurrence[]]>([
    ['somebody took it off since', [told(alice, { removed: ['x'] })]],
    ['Bellhop put it on since, though nothing tells who took it off', [told(bot, { added: ['x'] })]],
    [
      'both are told, in whatever order',
      [told(alice, { removed: ['x'] }, 'second'), told(bot, { added: ['x'] }, 'first')],
    ],
    ['it was taken off with the bot’s own account, which is shared', [told(bot, { removed: ['x'] })]],
    [
      'Bellhop put it on within the very second of the last change before',
      [told(bot, { added: ['x'] }, 'same', JUDGED.second)],
    ],
  ])('stays off where %s', (_how, events) => {
    const { sends, came: settled, after } = next(adds, lost(adds), [], events)
    expect([settled, sends]).toEqual(['done', []])
    // What a person takes off stays off while the rule stays true.
    expect(next(adds, after, [], []).sends).toEqual([])
  })

  it('is confirmed by the first delivery that shows it, and nothing waits any longer', () => {
    const { came: settled } = next(adds, lost(adds), [], [told(alice, { removed: ['x'] })], {
      now: '2026-01-11T00:00:01Z',
    })
    expect(settled).toBe('done')
  })

  it.each<[string, Occurrence[]]>([
    ['nothing tells of it', []],
    ['other labels were changed', [told(alice, { added: ['y'], removed: ['z'] })]],
    ['a delivery does not say which labels', [happened('merge_request.update', 'later', { changed: ['labels'] })]],
    [
      'it was taken off before, and that is told late',
      [told(alice, { removed: ['x'] }, 'late', '2026-01-10 23:59:59 UTC')],
    ],
    [
      'it was put on long before, and that is told late',
      [told(bot, { added: ['x'] }, 'late', '2026-01-10 23:00:00 UTC')],
    ],
    [
      'somebody put it on and took it off again',
      [told(alice, { added: ['x'] }, 'on'), told(alice, { removed: ['x'] }, 'off')],
    ],
    [
      'somebody put it on within the second of the last change, and it is gone',
      [told(alice, { added: ['x'] }, 'same', JUDGED.second)],
    ],
    [
      'it was taken off within the second of the last change, which may be that',
      [told(alice, { removed: ['x'] }, 'same', JUDGED.second)],
    ],
    ['a delivery says no time that can be read', [told(alice, { removed: ['x'] }, 'odd', 'yesterday')]],
  ])('is put on again where %s', (_how, events) => {
    const { sends, came: settled } = next(adds, lost(adds), [], events)
    expect([settled, sends]).toEqual(['not_done', [add]])
  })

  it('is put on again where the same second of an exact time is before the last change', () => {
    const events = [told(bot, { added: ['x'] }, 'exact', '2026-01-11T00:00:00.050Z')]
    expect(next(adds, lost(adds), [], events).sends).toEqual([add])
  })

  it('is put on again where only one of the two times is exact, and both are of one second', () => {
    const memory = lost(adds, { answers: labelled([], '2026-01-11T00:00:00Z') })
    const events = [told(alice, { removed: ['x'] }, 'exact', '2026-01-11T00:00:00.050Z')]
    expect(next(adds, memory, [], events).sends).toEqual([add])
  })

  it('is put on again for all that was heard when it was evaluated, whatever the clocks say', () => {
    const heard = [told(alice, { removed: ['x'] }, 'heard', '2026-01-11 01:00:00 UTC')]
    expect(next(adds, lost(adds, { events: heard }), [], heard).sends).toEqual([add])
  })

  it('is put on again where the service does not say when the merge request was changed', () => {
    const memory = lost(adds, { answers: answers({ labels: [], updated_at: undefined }) })
    expect(next(adds, memory, [], [told(alice, { removed: ['x'] })]).sends).toEqual([add])
  })

  it('stays off for its event as well', () => {
    const onPush = onEvent('push', '{ label: { add: x } }')
    const events = [happened('push', 'd1')]
    const memory = lost(onPush, { events })
    expect(next(onPush, memory, [], [...events, told(alice, { removed: ['x'] })]).sends).toEqual([])
    expect(next(onPush, memory, [], events).sends).toEqual([add])
  })

  it('stays off where Bellhop was turned off meanwhile, also when it is turned on again', () => {
    const events = [told(alice, { removed: ['x'] })]
    const changes = { offLabel: 'off', now: '2026-01-11T00:00:01Z' }
    const first = next(adds, lost(adds), ['off'], events, changes)
    expect([first.came, first.sends]).toEqual(['done', []])
    expect(next(adds, first.after, [], []).sends).toEqual([])
    // Nothing told of it yet: it is looked at again while the events are pending.
    expect(next(adds, lost(adds), ['off'], [], changes).decision).toMatchObject({
      calls: [],
      againInMs: expect.any(Number),
    })
  })
})

describe('of labels that were put on in one call without a response', () => {
  const both = rule('{ state: opened }', '{ label: { add: [x, y] } }')
  const all: [string, object] = ['mergeRequests.update', { add_labels: 'x,y' }]

  it.each<[string, string[], Occurrence[]]>([
    ['both were put on by Bellhop since, and are gone', [], [told(bot, { added: ['x', 'y'] })]],
    ['both were taken off since', [], [told(alice, { removed: ['x', 'y'] })]],
    ['one was taken off since, and the other is there', ['x'], [told(alice, { removed: ['y'] })]],
  ])('none is put on again where %s', (_how, labels, events) => {
    const { sends, came: settled, after } = next(both, lost(both), labels, events)
    expect([settled, sends, next(both, after, labels, []).sends]).toEqual(['done', [], []])
  })

  it.each<[string, string[], Occurrence[], [string, object]]>([
    ['somebody put the other on', ['y'], [told(alice, { added: ['y'] })], add],
    ['somebody put the other on, and no delivery tells of that yet', ['y'], [], add],
    [
      'somebody put the other on and took it off again',
      [],
      [told(alice, { added: ['y'] }, 'on'), told(alice, { removed: ['y'] }, 'off')],
      all,
    ],
    [
      'the other alone was put on with the bot’s own account, which is shared',
      ['y'],
      [told(bot, { added: ['y'] })],
      add,
    ],
    ['only the other was taken off', [], [told(alice, { removed: ['y'] })], all],
  ])('those that are missing are put on where %s', (_how, labels, events, expected) => {
    expect(next(both, lost(both), labels, events).sends).toEqual([expected])
  })
})

describe('a label that was taken off without a response, and is there', () => {
  const takes = rule('{ state: opened }', '{ label: { remove: x } }')
  const off: [string, object] = ['mergeRequests.update', { remove_labels: 'x' }]
  const on = { answers: labelled(['x'], JUDGED.at) }

  it.each<[string, Occurrence[], object[]]>([
    ['stays on where somebody put it on again', [told(alice, { added: ['x'] })], []],
    ['stays on where Bellhop took it off since', [told(bot, { removed: ['x'] })], []],
    ['is taken off where nothing tells of it', [], [off]],
    ['is taken off where it was put on before', [told(alice, { added: ['x'] }, 'late', JUDGED.second)], [off]],
  ])('%s', (_how, events, expected) => {
    expect(next(takes, lost(takes, on), ['x'], events).sends).toEqual(expected)
  })
})

describe('label: while, without a response', () => {
  const held = whileOn('{ label: { while: x } }')
  const holding = { memory: { ...emptyMemory(), of: { label: ['x'] } }, answers: labelled(['x'], JUDGED.at) }

  it('is kept while the rule matches, no matter who removes it', () => {
    const memory = lost(held, { answers: labelled(['on'], JUDGED.at) })
    expect(next(held, memory, ['on'], [told(alice, { removed: ['x'] })]).sends).toEqual([add])
  })
  it('is Bellhop’s to take off also where it came', () => {
    const memory = lost(held, { answers: labelled(['on'], JUDGED.at) })
    const { after } = next(held, memory, ['on', 'x'], [])
    expect(next(held, after, ['x'], []).sends).toEqual([['mergeRequests.update', { remove_labels: 'x' }]])
  })
  it('is not removed when somebody has added it since', () => {
    const { sends, after } = next(held, lost(held, holding), ['x'], [told(alice, { added: ['x'] })])
    expect([sends, after.of?.label]).toEqual([[], undefined])
  })
  it('is withdrawn where it was not', () => {
    expect(next(held, lost(held, holding), ['x'], []).sends).toEqual([['mergeRequests.update', { remove_labels: 'x' }]])
  })
})

describe('what went with the same call', () => {
  const closes = onEvent('push', '{ label: { add: x }, close: true }')
  const prefixes = onEvent('push', '{ label: { add: x }, update: { title: "Draft: {{ title }}" } }')
  const events = [happened('push', 'd1')]

  it('is not done again where a delivery of Bellhop’s own tells that it was', () => {
    const memory = lost(closes, { events })
    // Somebody has reopened it, or taken the label off.
    for (const labels of [['x'], []])
      expect(next(closes, memory, labels, [...events, told(bot, { added: ['x'] })]).sends).toEqual([])
  })
  it('is done where nothing tells of it, whatever others did with the label', () => {
    const sends = [['mergeRequests.update', { add_labels: 'x', state_event: 'close' }]]
    expect(next(closes, lost(closes, { events }), [], events).sends).toEqual(sends)
    const back = [told(alice, { added: ['x'] }, 'on'), told(alice, { removed: ['x'] }, 'off')]
    expect(next(closes, lost(closes, { events }), [], [...events, ...back]).sends).toEqual(sends)
    expect(next(closes, lost(closes, { events }), ['x'], events).sends).toEqual([
      ['mergeRequests.update', { state_event: 'close' }],
    ])
  })
  it('is evaluated by its own state, which a label does not outvote', () => {
    const memory = lost(prefixes, { events })
    const other = { answers: labelled(['x'], LATER, { title: 'Something else' }) }
    expect(next(prefixes, memory, ['x'], events).sends).toHaveLength(1)
    for (const labels of [['x'], []]) {
      const { came: settled, sends } = next(prefixes, memory, labels, events, {
        answers: labelled(labels, LATER, { title: 'Something else' }),
      })
      expect([settled, sends]).toEqual(['unknown', []])
    }
    expect(next(prefixes, memory, ['x'], [...events, told(bot, { added: ['x'] })], other).came).toBe('done')
  })
})

it('what others did while the answer was awaited counts as activity', () => {
  const memory = { ...lost(adds), activeAt: '2026-01-11T00:00:02Z' }
  expect(next(adds, memory, [], [told(alice, { removed: ['x'] })]).after.activeAt).toBe('2026-01-11T00:00:02Z')
})
