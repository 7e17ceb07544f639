// Named groups in values and texts: what check refuses, and what a hostile title, branch or note can do with them.
import fc from 'fast-check'
import { anyText } from '../../any-text.ts'
import { happened, overTime } from '../over-time.ts'
import { answer, answers, decidedBy, decideRule, problemsIn, rule, rules, sent } from '../world.ts'

const typed = '{ title: { matches: "^(?<type>[^:]*):" } }'
const labelOf = (title: string, condition = typed, add = 'type::{{ type }}') =>
  decideRule(condition, `{ label: { add: "${add}" } }`, { answers: answers({ title, labels: [] }) })
const detailOf = (decision: ReturnType<typeof labelOf>) => decision.rules[0]?.actions[0]?.detail

describe('a label with a group', () => {
  it.each([
    ['feat: a door', 'type::feat'],
    ['v1.2-rc_3: a door', 'type::v1.2-rc_3'],
    ['Überprüfung: eine Tür', 'type::Überprüfung'],
  ])('is filled in from %j', (title, add_labels) => {
    expect(sent(labelOf(title))).toEqual([['mergeRequests.update', { add_labels }]])
  })
  it.each([
    ['a comma, which would be a second label', 'a,admin: x'],
    ['a scope of its own', 'a::b: x'],
    ['a space', 'a b: x'],
    ['a line end', 'a\nb: x'],
    ['a control character', 'a\u0007: x'],
    ['an invisible character', 'a\u200bb: x'],
    ['nothing', ': x'],
    ['a sign first', '-a: x'],
    ['a place of its own', '{{ title }}: x'],
    ['51 characters', `${'a'.repeat(51)}: x`],
  ])('is not set where the value has %s', (_what, title) => {
    const decision = labelOf(title, '{ title: { matches: "(?s)^(?<type>.*): x$" } }')
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toMatchObject({ action: 'label', result: 'blocked' })
    expect(detailOf(decision)).toMatch(/^\{\{ type \}\} is ".*"; expected at most 50 letters, digits/)
  })
  it('is never another label than one with its beginning, whatever the title is', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 80 }), (title) => {
        const calls = labelOf(title, '{ title: { matches: "(?s)^(?<type>.*)$" } }').calls
        for (const { params } of calls) expect(params.add_labels).toMatch(/^type::[\p{L}\p{N}][\p{L}\p{N}._-]{0,49}$/u)
      }),
    )
  })
  it('is not set from a group that took no part in the match', () => {
    const decision = labelOf(
      'feat: x',
      '{ title: { matches: "^(?<type>feat)(?:[(](?<scope>.+)[)])?:" } }',
      'x::{{ scope }}',
    )
    expect([decision.calls, detailOf(decision)]).toEqual([
      [],
      '{{ scope }} has no value: the group scope took no part in the match',
    ])
  })
  it('leaves the rest of its action undone where one value does not fit', () => {
    const decision = decideRule(typed, '{ label: { add: [a, "type::{{ type }}"] }, subscribe: true }', {
      answers: answers({ title: 'a,b: x' }),
    })
    expect(sent(decision)).toEqual([['mergeRequests.subscribe', {}]])
  })
  it('is that of the new title after a change, and a person who removes it wins until then', () => {
    const mr = overTime({ title: 'feat: x', labels: [] })
    const texts = [rule(typed, '{ label: { add: "type::{{ type }}" } }')]
    expect(mr.sends(texts)).toEqual([['mergeRequests.update', { add_labels: 'type::feat' }]])
    mr.person({ labels: [] })
    expect(mr.sends(texts)).toEqual([])
    mr.person({ title: 'fix: x' })
    expect(mr.sends(texts)).toEqual([['mergeRequests.update', { add_labels: 'type::fix' }]])
    expect(mr.sends(texts)).toEqual([])
  })
  it('follows the title with while, and goes where the value does not fit', () => {
    const mr = overTime({ title: 'feat: x', labels: ['other'] })
    const texts = [rule(typed, '{ label: { while: "type::{{ type }}" } }')]
    const labelsAfter = (title: string) => {
      mr.person({ title })
      mr.turn(texts)
      return mr.labels
    }
    expect(['feat: x', 'fix: x', 'a,b: x', 'feat: x'].map(labelsAfter)).toEqual([
      ['other', 'type::feat'],
      ['other', 'type::fix'],
      ['other'],
      ['other', 'type::feat'],
    ])
  })
})

describe('a text with a group', () => {
  const note = (title: string, text: string, condition = typed) =>
    String(
      decideRule(condition, `{ comment: ${JSON.stringify(text)} }`, { answers: answers({ title }) }).calls[0]?.params
        .body,
    )

  it('shows its value as harmless text', () => {
    expect(note('feat: x', 'A {{ type }} by {{ author }}.')).toMatch(/^A feat by alice\.\n/)
    expect(note('@all `<x: y', '{{ type }}')).not.toMatch(/@all|<x/)
    expect(note('/merge: y', '{{ type }}')).not.toMatch(/^\//m)
  })
  it('says where the group took no part in the match', () => {
    expect(note('feat: x', 'of {{ s }}!', '{ title: { matches: "^feat(?P<s>!)?:" } }')).toMatch(/^of \(unknown\)!/)
  })
  it('goes before a fact of the same name', () => {
    expect(note('feat: x', '{{ author }}', '{ title: { matches: "^(?<author>.*):" } }')).toMatch(/^feat\n/)
  })
  it('is of a title or description too, which is not written where the group has no value', () => {
    const update = (title: string) => {
      const text = `version: 1\nrules:\n  - name: a\n    on: push\n    if: { title: { matches: "^(?<t>[^:]*):(?<n> x)?" } }\n    then: { update: { title: "[{{ t }}]{{ n }}" } }\n`
      return sent(decidedBy(text, { answers: answers({ title }), events: [happened('push')] }))
    }
    expect([update('feat: x'), update('feat: y')]).toEqual([[['mergeRequests.update', { title: '[feat] x' }]], []])
  })
})

describe('a group of an internal note', () => {
  const text = (actions: string) =>
    `version: 1\nrules:\n  - name: a\n    on: note.create\n    if: { comment: { matches: "size (?<size>.*)" } }\n    then: ${actions}\n`
  const given = (internal: boolean) => ({
    answers: answers({ labels: [] }, { 'note@5': answer({ id: 5, body: 'size XL', author: { id: 2 }, internal }) }),
    events: [happened('note.create', 'd1', { note: { id: 5, mentions: false } })],
  })

  it.each(['{ label: { add: "size::{{ size }}" } }', '{ comment: "{{ size }}" }'])('is not shown by %s', (actions) => {
    expect(JSON.stringify(decidedBy(text(actions), given(false)).calls)).toContain('XL')
    expect(JSON.stringify(decidedBy(text(actions), given(true)).calls)).not.toContain('XL')
  })
})

describe('check', () => {
  const problems = (condition: string, actions = '{ label: { add: "type::{{ type }}" } }') =>
    problemsIn(rules(rule(condition, actions))).map((each) => each.replace(/^f\.yml:\d+:\d+: rules\[0\]\./, ''))
  const has = (more: string) => `then.label.add: expected ${more}`
  const one = 'a group that has one value, found {{ type }}, '

  it.each([
    ['{ title: { matches: "(?<type>x)" } }'],
    ['{ all: [{ title: { matches: "(?P<type>x)" } }] }'],
    ['{ title: { matches: "(?<type>x)" }, not: { description: { matches: "(?<type>y)" } } }'],
    ['{ title: { matches: "(?<type>x)" }, any: [{ description: { matches: "(?<type>y)" } }] }'],
  ])('accepts a group that every match of the rule has: %s', (condition) => {
    expect(problems(condition)).toEqual([])
  })
  it.each([
    ['{ title: { matches: "(?<typ>x)" } }', 'did you mean "typ"? Found "type"'],
    [
      '{ title: { matches: "(x)" } }',
      'of a condition with matches in this rule, or of an argument of its command, found "type"',
    ],
    ['{ not: { title: { matches: "(?<type>x)" } } }', `${one}a group under not, which the rule can match without`],
    ['{ title: { not: { matches: "(?<type>x)" } } }', `${one}a group under not, which the rule can match without`],
    ['{ any: [{ title: { matches: "(?<type>x)" } }] }', `${one}a group under any, which the rule can match without`],
    [
      '{ labels: { any: { matches: "(?<type>x)" } } }',
      `${one}a group for the items of a list, of which several may fit`,
    ],
    [
      '{ labels: { none: { matches: "(?<type>x)" } } }',
      `${one}a group for the items of a list, of which several may fit`,
    ],
    ['{ title: { matches: "(?<type>x)" }, description: { matches: "(?<type>y)" } }', `${one}a group of two conditions`],
  ])('refuses a value for %s', (condition, expected) => {
    expect(problems(condition)).toEqual([expect.stringContaining(expected)])
  })
  it('refuses a fact in a value', () => {
    expect(problems('{ title: x }', '{ label: { add: "by::{{ author }}" } }')).toEqual([
      has(
        'the name of a group, such as (?<name>…), of a condition with matches in this rule, or of an argument of its command, found the fact "author"',
      ),
    ])
  })
  it.each(['{{ type }}', '::{{ type }}', 'a{{ type }}', '{{ type }}::a'])(
    'refuses the label %j, which a title could make any label',
    (label) => {
      expect(problems('{ title: { matches: "(?<type>x)" } }', `{ label: { add: "${label}" } }`)).toEqual([
        expect.stringContaining(has('a beginning of the label before the group')),
      ])
    },
  )
  it.each(['type::{{ type }', 'type::{{ type'])('refuses the label %j, whose place has no end', (label) => {
    expect(problems('{ title: { matches: "(?<type>x)" } }', `{ label: { add: "${label}" } }`)).toEqual([
      expect.stringContaining(has('a }} behind each {{')),
    ])
  })
  it('says nothing of groups where the conditions cannot be read', () => {
    expect(problems('{ titel: { matches: "(?<type>x)" } }')).toEqual([expect.stringContaining('titel')])
  })
  it('knows the groups of a named condition', () => {
    const text = 'version: 1\ndefs: { typed: { title: { matches: "(?<type>x)" } } }\n'
    expect(
      problemsIn(`${text}rules:\n  - name: a\n    if: { use: typed }\n    then: { label: { add: "t::{{ type }}" } }\n`),
    ).toEqual([])
  })
})
