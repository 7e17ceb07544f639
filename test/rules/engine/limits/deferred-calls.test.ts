// The loop guard: a call that something keeps undoing is made ever more rarely.
import { rememberSent } from '../../../../src/rules/engine/limits/deferred-calls.ts'
import { emptyMemory, remember, staysPending } from '../../../../src/rules/engine/update-memory.ts'
import type { Memory } from '../../../../src/rules/types.ts'
import {
  answered,
  answers,
  came,
  type decided,
  decidedBy,
  doneAt,
  rememberAs,
  rememberDone,
  rule,
  rules,
  sent,
} from '../../world.ts'

const text = rules(rule('{ labels: { none: [ready] } }', '{ label: { add: ready } }'))
const at = (minute: number) => new Date(Date.UTC(2026, 0, 11, 0, minute)).toISOString()

const note = (id: number) => ({ id: `d${id}`, event: { kind: 'note.create', actor: { id: 2 }, at: at(0) } })
const onNote = (then: string) => `  - name: on a note\n    on: note.create\n    then: ${then}\n`

/** Bellhop adds the label, and somebody takes it off again, `times` times, a minute apart. */
function fight(times: number, { given = text, withNotes = false } = {}): Memory {
  let memory = emptyMemory()
  for (let minute = 0; minute < times; minute++) {
    const decision = decidedBy(given, { memory, now: at(minute), events: withNotes ? [note(minute)] : [] })
    memory = remember(memory, doneAt(decision, at(minute)))
    // The label is there, so the rule is false; then it is taken off.
    memory = remember(memory, decidedBy(given, { memory, now: at(minute), answers: answers({ labels: ['ready'] }) }))
  }
  return memory
}

describe('a call that is undone each time', () => {
  it('is made five times within ten minutes, and then no more', () => {
    expect(sent(decidedBy(text, { memory: fight(4), now: at(4) }))).toHaveLength(1)
    const decision = decidedBy(text, { memory: fight(5), now: at(5) })
    expect(decision.calls).toEqual([])
    expect(decision.paused).toMatch(/^label was done 5 times within ten minutes/)
    expect(decision.rules[0]?.actions[0]).toMatchObject({ result: 'blocked', detail: decision.paused })
  })
  it('counts also where the service drops a part of it', () => {
    const { rules: traces, calls } = decidedBy(text, { now: at(0) })
    const countOf = (result: 'done' | 'dropped' | 'refused') =>
      rememberSent(emptyMemory(), { rules: traces, responses: calls.map((call) => came(call, result)) })
    expect(countOf('dropped')).toEqual(countOf('done'))
    expect(countOf('dropped')).not.toEqual(countOf('refused'))
  })
  it('is looked at again when ten minutes have passed since the first', () => {
    const memory = fight(5)
    expect(decidedBy(text, { memory, now: at(5) }).againInMs).toBe(5 * 60_000)
    expect(sent(decidedBy(text, { memory, now: at(10) }))).toHaveLength(1)
  })
  it('waits for the limit that ends last, where several are reached', () => {
    const times = [0, 1, 2, 3, 4, 10, 11, 12, 13, 14].map(at)
    const one = rememberSent(emptyMemory(), answered(decidedBy(text)))
    const memory = { ...emptyMemory(), sent: Object.fromEntries(Object.keys(one).map((call) => [call, times])) }
    const decision = decidedBy(text, { memory, now: at(15) })
    expect(decision.paused).toMatch(/^label was done 10 times within an hour/)
    expect(decision.againInMs).toBe(45 * 60_000)
  })
  it('is tried ever more rarely while that goes on: twenty times in a day', () => {
    let memory = emptyMemory()
    const sendings: number[] = []
    for (let minute = 0; minute < 24 * 60; minute += minute < 60 ? 1 : 10) {
      const decision = decidedBy(text, { memory, now: at(minute) })
      if (decision.calls.length > 0) sendings.push(minute)
      memory = remember(memory, doneAt(decision, at(minute)))
      memory = remember(memory, decidedBy(text, { memory, now: at(minute), answers: answers({ labels: ['ready'] }) }))
    }
    expect(sendings.filter((minute) => minute < 10)).toHaveLength(5)
    expect(sendings.filter((minute) => minute < 60)).toHaveLength(10)
    expect(sendings).toHaveLength(20)
  })
  it('counts as the state rule’s where an event requests it as well', () => {
    const given = rules(
      rule('{ labels: { none: [ready] } }', '{ label: { add: ready } }'),
      onNote('{ label: { add: ready } }'),
    )
    const memory = fight(5, { given, withNotes: true })
    expect(decidedBy(given, { memory, now: at(5), events: [note(9)] }).paused).toMatch(/something undoes it each time/)
  })
  it('is not what stands in the way when a person ends the fight', () => {
    const memory = fight(5)
    const other = rules(
      rule('{ labels: { none: [ready] } }', '{ label: { add: ready } }'),
      rule('{ labels: { any: [ready] } }', '{ subscribe: true }', 'other'),
    )
    expect(decidedBy(other, { memory, now: at(5) }).paused).toMatch(/something undoes it each time/)
    const settled = decidedBy(other, { memory, now: at(5), answers: answers({ labels: ['ready'] }) })
    expect([settled.paused, settled.calls.length]).toEqual([undefined, 1])
  })
  it('is forgotten after a day', () => {
    const decision = answered(decidedBy(text))
    const sent = { long: ['2026-01-09T23:00:00Z'], lately: ['2026-01-10T01:00:00Z'] }
    const next = rememberSent({ ...emptyMemory(), sent }, decision)
    expect([Object.hasOwn(next, 'long'), Object.hasOwn(next, 'lately')]).toEqual([false, true])
  })
  it('does not count while it is refused', () => {
    const decision = decidedBy(text)
    expect(rememberAs('refused', decision).sent).toBeUndefined()
  })
})

describe('a call that events request', () => {
  /** One note after the other, each of which is answered by the same call, while `undo` puts the state back. */
  function heard(given: string, notes: number, minute = 0): Memory {
    let memory = emptyMemory()
    for (let id = 0; id < notes; id += 1) {
      const decision = decidedBy(given, { memory, events: [note(id)], now: at(minute) })
      expect(decision.calls).toHaveLength(1)
      memory = remember(memory, doneAt(decision, at(minute)))
    }
    return memory
  }

  it('is no loop when each is for another event: nothing else is blocked by it', () => {
    const text = rules(onNote('{ label: { add: ready } }'))
    const both = rules(onNote('{ label: { add: ready } }'), rule('{ state: opened }', '{ label: { add: ready } }'))
    const memory = heard(text, 19)
    const decision = decidedBy(both, { memory, now: at(1) })
    expect([decision.paused, sent(decision)]).toEqual([undefined, [['mergeRequests.update', { add_labels: 'ready' }]]])
  })
  it('waits when event after event requests it, twenty times within ten minutes, while all others act', () => {
    const text = rules(onNote('{ spend: 1m }'))
    const both = rules(onNote('{ spend: 1m, todo: true }'), rule('{ state: opened }', '{ subscribe: true }'))
    const memory = heard(text, 20)
    const decision = decidedBy(both, { memory, events: [note(20)], now: at(1) })
    expect(decision.rules[0]?.actions).toMatchObject([
      {
        action: 'spend',
        result: 'waits',
        detail: expect.stringMatching(/^spend was done 20 times within ten minutes, and events request it/),
      },
      { action: 'todo', result: 'call' },
    ])
    expect([decision.paused, sent(decision).map(([endpoint]) => endpoint)]).toEqual([
      undefined,
      ['mergeRequests.todo', 'mergeRequests.subscribe'],
    ])
    expect(decision.againInMs).toBe(9 * 60_000)
    expect(staysPending(decision, remember(memory, decision))).toBe(true)
    const later = decidedBy(text, { memory: rememberDone(memory, decision), events: [note(20)], now: at(10) })
    expect(sent(later)).toEqual([['mergeRequests.addSpentTime', { duration: '1m' }]])
  })
  it('is a loop when it is undone each time and made again for the same event, whose request stands', () => {
    const text = rules(onNote('{ approve: true }'))
    let memory = emptyMemory()
    for (let minute = 0; minute < 5; minute += 1) {
      const decision = decidedBy(text, { memory, events: [note(1)], now: at(minute) })
      expect(sent(decision).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.approve'])
      memory = remember(memory, doneAt(decision, at(minute)))
    }
    const decision = decidedBy(text, { memory, events: [note(1)], now: at(5) })
    expect([decision.calls, decision.paused]).toEqual([
      [],
      expect.stringMatching(/^approve was done 5 times .* undoes it each time/),
    ])
  })
})

describe('a call that went with another', () => {
  it('is counted: a request that stands does not change for ever what somebody changes back', () => {
    const text = rules(onNote('{ label: { add: x }, accept: { squash: true } }'))
    const updates = (decision: ReturnType<typeof decided>) =>
      decision.calls.filter(({ endpoint }) => endpoint === 'mergeRequests.update')
    let memory = emptyMemory()
    for (let minute = 0; minute < 5; minute += 1) {
      const decision = decidedBy(text, { memory, events: [note(1)], now: at(minute) })
      expect(updates(decision)).toMatchObject([{ action: 'label', with: ['accept'] }])
      // The label is taken off and the squash switched off again; the merge itself is refused.
      memory = { ...remember(memory, doneAt(decision, at(minute), updates(decision))), events: {} }
    }
    const decision = decidedBy(text, { memory, events: [note(1)], now: at(5) })
    expect([decision.calls, decision.paused]).toEqual([
      [],
      expect.stringMatching(/^label was done 5 times .* undoes it each time/),
    ])
  })
  it('waits with all that its rule does for either action, where events request it again and again', () => {
    const text = rules(onNote('{ label: { add: ready }, accept: { squash: true } }'))
    let memory = emptyMemory()
    for (let id = 0; id < 20; id += 1) {
      const decision = decidedBy(text, { memory, events: [note(id)], now: at(0) })
      expect(decision.calls.map((call) => [call.action, call.with])).toEqual([
        ['label', ['accept']],
        ['accept', undefined],
      ])
      // The service says "not now" to the merge, and somebody changes the rest back.
      memory = remember(memory, doneAt(decision, at(0), decision.calls.slice(0, 1)))
    }
    const decision = decidedBy(text, { memory, events: [note(20)], now: at(1) })
    expect([decision.calls, decision.paused]).toEqual([[], undefined])
    expect(decision.rules.at(-1)?.actions.map(({ action, result }) => [action, result])).toEqual([
      ['label', 'waits'],
      ['accept', 'waits'],
    ])
  })
})

const posts = '{ notify: { to: team, text: "{{ title }}" } }'
const flapping = (times: number) => fight(times, { given: rules(rule('{ labels: { none: [ready] } }', posts)) })
it('posts to a chat undo nothing: they wait alone, twenty within ten minutes', () => {
  const both = rules(
    rule('{ labels: { none: [ready] } }', posts),
    rule('{ state: opened }', '{ subscribe: true }', 'b'),
  )
  const endpoints = (memory: Memory, minute: number) =>
    sent(decidedBy(both, { memory, now: at(minute) })).map(([endpoint]) => endpoint)
  expect(endpoints(flapping(10), 10)).toEqual(['chat.post', 'mergeRequests.subscribe'])
  const memory = flapping(1)
  const [signature = ''] = Object.keys(memory.sent ?? {})
  const full = { ...memory, sent: { [signature]: Array.from({ length: 20 }, () => at(1)) } }
  expect(endpoints(full, 2)).toEqual(['mergeRequests.subscribe'])
  expect(endpoints(full, 11)).toEqual(['chat.post', 'mergeRequests.subscribe'])
})
