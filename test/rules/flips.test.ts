// The flip breaker: what is undone again and again is not done for ever.
import { describe, expect, it } from 'vitest'
import { emptyMemory, remember } from '../../src/rules/remember.ts'
import type { Memory } from '../../src/rules/types.ts'
import { answered, answers, came, decided, file, input, rule, rules, sent } from './world.ts'

const text = rules(rule('{ labels: { none: [ready] } }', '{ label: { add: ready } }'))
const at = (minute: number) => new Date(Date.UTC(2026, 0, 11, 0, minute)).toISOString()

/** Bellhop adds the label, and somebody takes it off again, `times` times, a minute apart. */
function fight(times: number): Memory {
  let memory = emptyMemory()
  for (let minute = 0; minute < times; minute++) {
    const decision = decided(input([file(text)], { memory, now: at(minute) }))
    const done = { ...decision, answers: decision.calls.map((call) => ({ ...came(call), at: at(minute) })) }
    memory = remember(memory, done)
    // The label is there, so the rule is false; then it is taken off.
    memory = remember(memory, decided(input([file(text)], { memory, now: at(minute), answers: answers({ labels: ['ready'] }) })))
  }
  return memory
}

describe('a call that is undone each time', () => {
  it('is made five times within ten minutes, and then no more', () => {
    expect(sent(decided(input([file(text)], { memory: fight(4), now: at(4) })))).toHaveLength(1)
    const decision = decided(input([file(text)], { memory: fight(5), now: at(5) }))
    expect(decision.calls).toEqual([])
    expect(decision.paused).toMatch(/^label was done 5 times within ten minutes/)
    expect(decision.rules[0]?.actions[0]).toMatchObject({ result: 'held back', detail: decision.paused })
  })
  it('is looked at again when ten minutes have passed since the first', () => {
    const memory = fight(5)
    expect(decided(input([file(text)], { memory, now: at(5) })).againInMs).toBe(5 * 60_000)
    expect(sent(decided(input([file(text)], { memory, now: at(10) })))).toHaveLength(1)
  })
  it('does not count while it is refused', () => {
    const decision = decided(input([file(text)]))
    expect(remember(emptyMemory(), answered(decision, 'refused', 403)).sent).toBeUndefined()
  })
})

describe('the label that turns Bellhop off', () => {
  const off = (labels: string[]) =>
    decided(
      input([file(rules(rule('{ state: opened }', '{ subscribe: true }')))], { offLabel: 'bellhop::off', answers: answers({ labels }) }),
    )
  it('leaves nothing to do, and says why', () => {
    expect(off(['bellhop::off'])).toMatchObject({ calls: [], paused: 'the label bellhop::off is on it' })
    expect(off(['other']).calls).toHaveLength(1)
  })
  it('is no end: what was held back is done when it is taken off', () => {
    const given = file(rules(rule('{ state: opened }', '{ subscribe: true }')))
    const paused = decided(input([given], { offLabel: 'x', answers: answers({ labels: ['x'] }) }))
    expect(sent(decided(input([given], { memory: remember(emptyMemory(), paused) })))).toHaveLength(1)
  })
})
