// label: only differences, one call for all rules, the first rule wins.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/remember.ts'
import { answers, decided, decideRule, file, input, rememberDone, rule, rules, sent } from '../world.ts'

const calls = (args: string, labels: string[]) =>
  sent(decideRule('{ state: opened }', `{ label: ${args} }`, { answers: answers({ labels }) }))

describe('label', () => {
  it.each([
    ['adds what is missing', '{ add: [a, b] }', ['b'], { add_labels: 'a' }],
    ['removes what is there', '{ remove: [a, b] }', ['b', 'c'], { remove_labels: 'b' }],
    ['does both in one call', '{ add: a, remove: b }', ['b'], { add_labels: 'a', remove_labels: 'b' }],
    ['takes case seriously', '{ add: Bug }', ['bug'], { add_labels: 'Bug' }],
  ])('%s', (_what, args, labels, expected) => {
    expect(calls(args, labels)).toEqual([['mergeRequests.update', expected]])
  })
  it.each([
    ['what is there is not added', '{ add: a }', ['a']],
    ['what is not there is not removed', '{ remove: a }', ['b']],
  ])('%s', (_what, args, labels) => {
    expect(calls(args, labels)).toEqual([])
  })
  it('never adds to labels that it does not know', () => {
    const decision = decideRule('{ state: opened }', '{ label: { add: a } }', { answers: answers({ labels: undefined }) })
    expect(decision.rules[0]?.actions).toMatchObject([
      { result: 'held back', detail: 'labels is unknown: the hosting service does not say' },
    ])
  })
  it('is one call for all rules, each label once', () => {
    const text = rules(
      rule('{ state: opened }', '{ label: { add: [a, b] } }', 'one'),
      rule('{ draft: false }', '{ label: { add: [b, c], remove: x } }', 'two'),
    )
    const decision = decided(input([file(text)], { answers: answers({ labels: ['x'] }) }))
    expect(sent(decision)).toEqual([['mergeRequests.update', { add_labels: 'a,b,c', remove_labels: 'x' }]])
    expect(decision.calls[0]?.rules).toEqual(['rules/test.yml#one', 'rules/test.yml#two'])
  })
  it('lets the first of two rules that disagree win', () => {
    const text = rules(
      rule('{ state: opened }', '{ label: { add: a } }', 'one'),
      rule('{ draft: false }', '{ label: { remove: a } }', 'two'),
    )
    const decide = (labels: string[], memory = emptyMemory()) => decided(input([file(text)], { answers: answers({ labels }), memory }))
    const first = decide([])
    expect(sent(first)).toEqual([['mergeRequests.update', { add_labels: 'a' }]])
    expect(first.rules.map((each) => each.actions[0]?.result)).toEqual(['call', 'lost'])
    // The first rule keeps its word after it acted: else the second would undo it at once.
    const second = decide(['a'], rememberDone(emptyMemory(), first))
    expect(second.calls).toEqual([])
    expect(second.rules.map((each) => each.actions[0]?.result)).toEqual(['done before', 'lost'])
  })
  it('says what is lost and does the rest', () => {
    const text = rules(
      rule('{ state: opened }', '{ label: { add: a } }', 'one'),
      rule('{ draft: false }', '{ label: { remove: a, add: b } }', 'two'),
    )
    const decision = decided(input([file(text)]))
    expect(sent(decision)).toEqual([['mergeRequests.update', { add_labels: 'a,b' }]])
    expect(decision.rules[1]?.actions[0]?.detail).toBe('add "b"; an earlier rule decides otherwise about "a"')
  })
})
