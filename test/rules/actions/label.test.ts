// label: only differences, one call for all rules, taking off wins; what is held is kept, and what a person did stays.
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import { answers, decidedBy, decideRule, outcomes, problemsIn, rememberAs, rule, rules, sent } from '../world.ts'

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
    const decision = decideRule('{ state: opened }', '{ label: { add: a } }', {
      answers: answers({ labels: undefined }),
    })
    expect(outcomes(decision)).toEqual(['blocked: labels is unknown: the hosting service does not say'])
  })
  it('is one call for all rules, each label once', () => {
    const text = rules(
      rule('{ state: opened }', '{ label: { add: [a, b] } }', 'one'),
      rule('{ draft: false }', '{ label: { add: [b, c], remove: x } }', 'two'),
    )
    const decision = decidedBy(text, { answers: answers({ labels: ['x'] }) })
    expect(sent(decision)).toEqual([['mergeRequests.update', { add_labels: 'a,b,c', remove_labels: 'x' }]])
    expect(decision.calls[0]?.rules).toEqual(['rules/test.yml#one', 'rules/test.yml#two'])
  })
})

describe('of two rules that disagree about a label', () => {
  const add = (name: string) => rule('{ state: opened }', '{ label: { add: a } }', name)
  const remove = (name: string) => rule('{ state: opened }', '{ label: { remove: a } }', name)

  it.each([
    ['add', 'remove', [add('one'), remove('two')], ['overruled', 'call']],
    ['remove', 'add', [remove('one'), add('two')], ['call', 'overruled']],
  ])('%s before %s: taking it off wins, and keeps its word after it acted', (_first, _second, texts, results) => {
    const mr = overTime({ labels: ['a'] })
    const first = mr.turn(texts)
    expect(sent(first)).toEqual([['mergeRequests.update', { remove_labels: 'a' }]])
    expect(first.rules.map((each) => each.actions[0]?.result)).toEqual(results)
    // Else the other would put it on again at once.
    expect(mr.sends(texts)).toEqual([])
    expect(mr.labels).toEqual([])
  })
  it('a person who puts the label on again wins', () => {
    const mr = overTime({ labels: ['a'] })
      .after([add('one'), remove('two')])
      .person({ labels: ['a'] })
    expect(mr.sends([add('one'), remove('two')])).toEqual([])
  })
  it('what is lost is said, and the rest is done', () => {
    const text = rules(add('one'), rule('{ draft: false }', '{ label: { remove: a, add: b } }', 'two'))
    const decision = decidedBy(text)
    expect(sent(decision)).toEqual([['mergeRequests.update', { add_labels: 'b' }]])
    expect(decision.rules.map((each) => each.actions[0])).toMatchObject([
      { result: 'overruled', detail: 'another rule removes "a"' },
      { result: 'call', detail: 'add "b"' },
    ])
  })
})

describe('label: while', () => {
  const held = whileOn('{ label: { while: x } }')

  it('puts the label on while the rule matches, and takes it off when it does not', () => {
    const mr = overTime({ labels: ['on'] })
    expect(mr.sends([held])).toEqual([['mergeRequests.update', { add_labels: 'x' }]])
    expect(mr.sends([held])).toEqual([])
    mr.person({ labels: ['x'] })
    const last = mr.turn([held])
    expect(sent(last)).toEqual([['mergeRequests.update', { remove_labels: 'x' }]])
    expect(outcomes(last)).toEqual(['call: remove "x": no rule requests it any more'])
    expect(mr.sends([held])).toEqual([])
    expect(mr.memory.of?.label).toBeUndefined()
  })
  it('takes it off when the rule is gone', () => {
    const mr = overTime({ labels: ['on'] }).after([held])
    expect(mr.sends([whileOn('{ subscribe: true }')])).toContainEqual(['mergeRequests.update', { remove_labels: 'x' }])
  })
  it('never takes off a label that a person had put on before', () => {
    const mr = overTime({ labels: ['on', 'x'] })
    expect(mr.sends([held])).toEqual([])
    mr.person({ labels: ['x'] })
    expect(mr.sends([held])).toEqual([])
  })
  it('never takes off a label that a person put on after it was gone', () => {
    const mr = overTime({ labels: ['on'] })
      .after([held])
      .person({ labels: [] })
    expect(mr.sends([held])).toEqual([])
    expect(mr.memory.of?.label).toBeUndefined()
    mr.person({ labels: ['x'] })
    expect(mr.sends([held])).toEqual([])
  })
  it('is kept exactly while the rule matches: one that a person takes off is put on again', () => {
    const mr = overTime({ labels: ['on'] })
      .after([held])
      .person({ labels: ['on'] })
    expect(mr.sends([held])).toEqual([['mergeRequests.update', { add_labels: 'x' }]])
  })
  it('is kept while any rule holds it', () => {
    const texts = [held, whileOn('{ label: { while: x } }', 'another', 'other')]
    const mr = overTime({ labels: ['on', 'other'] })
      .after(texts)
      .person({ labels: ['other', 'x'] })
    expect(mr.sends(texts)).toEqual([])
    mr.person({ labels: ['x'] })
    expect(mr.sends(texts)).toEqual([['mergeRequests.update', { remove_labels: 'x' }]])
  })
  it('stays on where another rule asked to add it', () => {
    const texts = [held, rule('{ state: opened }', '{ label: { add: x } }', 'adds')]
    for (const order of [texts, [...texts].reverse()]) {
      const mr = overTime({ labels: ['on'] })
        .after(order)
        .person({ labels: ['x'] })
      expect(mr.sends(order)).toEqual([])
      expect(mr.memory.of?.label).toBeUndefined()
    }
  })
  it('stays on where a rule that adds it becomes true as its own ends', () => {
    const texts = [held, whileOn('{ label: { add: x } }', 'adds', 'other')]
    const mr = overTime({ labels: ['on'] })
      .after(texts)
      .person({ labels: ['other', 'x'] })
    expect([mr.sends(texts), mr.memory.of?.label]).toEqual([[], undefined])
  })
  it.each(['before', 'after'])('stays on when both end at once, where another rule came to add it %s', (when) => {
    const texts = [held, whileOn('{ label: { add: x } }', 'adds', 'other')]
    const mr = overTime({ labels: [when === 'before' ? 'other' : 'on'] }).after(texts)
    mr.person({ labels: ['on', 'other', 'x'] })
    expect([mr.sends(texts), mr.memory.of?.label]).toEqual([[], undefined])
    mr.person({ labels: ['x'] })
    expect([mr.sends(texts), mr.labels]).toEqual([[], ['x']])
  })
  it('gives way to a rule that takes it off, whichever comes first', () => {
    const texts = [held, rule('{ state: opened }', '{ label: { remove: x } }', 'removes')]
    for (const order of [texts, [...texts].reverse()]) {
      const mr = overTime({ labels: ['on'] })
      expect([mr.sends(order), mr.sends(order)]).toEqual([[], []])
    }
  })
  it('goes with other changes in one call', () => {
    const mr = overTime({ labels: ['on'] })
      .after([held])
      .person({ labels: ['x'] })
    expect(mr.sends([held, rule('{ state: opened }', '{ label: { add: y } }', 'adds')])).toEqual([
      ['mergeRequests.update', { add_labels: 'y', remove_labels: 'x' }],
    ])
    expect(mr.memory.of?.label).toBeUndefined()
  })
  it.each([
    ['refused', undefined],
    ['ambiguous', ['x']],
  ] as const)('that was %s is remembered so', (result, expected) => {
    const decision = decidedBy(rules(held), { answers: answers({ labels: ['on'] }) })
    expect(rememberAs(result, decision).of?.label).toEqual(expected)
  })
  it('whose removal may have failed is taken off again', () => {
    const memory = { ...emptyMemory(), of: { label: ['x'] } }
    const decision = decidedBy(rules(held), { memory, answers: answers({ labels: ['x'] }) })
    expect(rememberAs('ambiguous', decision, memory).of?.label).toEqual(['x'])
  })
})

describe('label: set', () => {
  const set = onEvent('push', '{ label: { set: [a, b] } }')
  it('leaves no other label, once for its event', () => {
    const mr = overTime({ labels: ['b', 'c', 'd'] })
    const events = [happened('push')]
    expect(mr.sends([set], { events })).toEqual([['mergeRequests.update', { add_labels: 'a', remove_labels: 'c,d' }]])
    mr.person({ labels: ['c'] })
    expect(mr.sends([set], { events })).toEqual([])
  })
  it('sends nothing where the labels are so', () => {
    expect(overTime({ labels: ['b', 'a'] }).sends([set], { events: [happened('push')] })).toEqual([])
  })
})

const problems = (on: string, args: string) => {
  return problemsIn(`rules:\n  - name: a\n${on}    if: { state: opened }\n    then:\n      label: ${args}\n`)
}
it.each([
  [
    '',
    '{ set: a }',
    'rules[0].then.label.set: expected a rule with on:, which acts once for each event, found set in a rule without on:',
    16,
  ],
  [
    '    on: push\n',
    '{ set: a, add: b }',
    'rules[0].then.label.set: expected set alone: it names all labels, found set with other keys',
    16,
  ],
  [
    '    on: push\n',
    '{ while: a }',
    'rules[0].then.label.while: expected a rule without on:, which matches for some time, found while in a rule with on:',
    16,
  ],
  [
    '',
    '{ add: [a, b], remove: b }',
    'rules[0].then.label.remove: expected labels that are not added as well, found "b"',
    37,
  ],
  ['', '{}', 'rules[0].then.label: expected add, remove, set, while, found an empty mapping', 14],
  [
    '',
    '{ add: "a,b" }',
    'rules[0].then.label.add: expected a label without commas or spaces at its ends, found "a,b"',
    21,
  ],
])('label is refused %j %s', (on, args, message, column) => {
  const line = on === '' ? 5 : 6
  expect(problems(on, args)).toEqual([`f.yml:${line}:${column}: ${message}`])
})
