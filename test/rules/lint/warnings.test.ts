// What check warns of: rules that never act, rules that conflict, each at its place; and nothing that may be meant.
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { formatWarning, unseenWithoutHooks, warningsOf } from '../../../src/rules/lint/warnings.ts'
import { issueRule, rule, rules } from '../world.ts'

function warnings(text: string): string[] {
  const read = readRules(text, 'f.yml', { trust: 'operator' })
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return warningsOf(text, read.rules).map(formatWarning)
}

const onEvent = (events: string, conditions: string, actions: string, name = 'of events') =>
  `  - name: ${name}\n    on: ${events}\n    if: ${conditions}\n    then: ${actions}\n`

describe('a rule that never matches', () => {
  const never = (conditions: string) => warnings(rules(rule(conditions, '{ subscribe: true }')))
  it.each([
    ['{ all: [{ state: opened }, { state: closed }] }', 'state "opened" and state "closed"'],
    ['{ author: alice, not: { author: alice } }', 'author "alice" and author not "alice"'],
    ['{ all: [{ author: alice }, { author: { matches: "^bob" } }] }', 'author "alice" and author matching "^bob"'],
    ['{ commits_count: { at_least: 5, less_than: 5 } }', 'commits_count at least 5 and commits_count less than 5'],
    ['{ age: { older_than: 30d, newer_than: 7d } }', 'age older than 30d and age newer than 7d'],
    [
      '{ author_access: { at_least: maintainer, at_most: developer } }',
      'author_access at least "maintainer" and author_access at most "developer"',
    ],
    ['{ labels: { any: [hold], none: [hold] } }', 'labels any of "hold" and labels none of "hold"'],
    [
      '{ labels: { any: ["blocked::a"], none: ["blocked::*"] } }',
      'labels any of "blocked::a" and labels none of "blocked::*"',
    ],
    ['{ labels: { all: [a, b], any: [c] } }', 'labels all of "a" or "b" and labels any of "c"'],
    ['{ clock: { days: [mon] }, not: { clock: { days: [mon] } } }', 'clock mon (UTC) and clock not mon (UTC)'],
    [
      '{ draft: true, any: [{ draft: false }, { all: [{ state: opened }, { state: merged }] }] }',
      'the conditions on draft, state',
    ],
  ])('%s', (conditions, why) => {
    expect(never(conditions)).toEqual([`f.yml:4:5: warning: rules[0].if: never matches: ${why} exclude each other`])
  })

  it.each([
    '{ state: opened, any: [{ state: closed }, { draft: true }] }',
    '{ pipeline: { not: success }, mergeability: { not: mergeable } }',
    '{ commits_count: { at_least: 5, at_most: 5 } }',
    '{ labels: { any: ["a*"], none: ["ab*"] } }',
    '{ labels: { none: [a] }, not: { labels: { all: [a] } } }',
    '{ labels: { any: [a, b], none: [a] } }',
    '{ labels: { all: ["*"], any: [c] } }',
    '{ changed_files: { all: ["docs/**"], any: ["docs/a"] } }',
    '{ clock: { not: { days: [mon] } }, age: { older_than: 1d } }',
    '{ milestone: { not: null }, not: { milestone: { matches: x } } }',
    '{ author: { matches: "^a" }, not: { author: { matches: "b$" } } }',
    '{ author_access: { not: [guest, reporter] } }',
  ])('is not one that may hold: %s', (conditions) => {
    expect(never(conditions)).toEqual([])
  })

  it('is one for an event that it does not wait for', () => {
    expect(warnings(rules(onEvent('push', '{ event: note.create }', '{ spend: 1m }')))).toEqual([
      'f.yml:5:5: warning: rules[0].if: never matches: event "note.create" and event "push" exclude each other',
    ])
    expect(warnings(rules(onEvent('["note.*", push]', '{ event: note.update }', '{ spend: 1m }')))).toEqual([])
  })
  it.each([
    ['{ state: merged }', 'no issue has state "merged"'],
    ['{ state: [merged, locked] }', 'no issue has state "merged" or "locked"'],
    ['{ labels: { any: [bug] }, not: { state: [opened, closed] } }', 'no issue has state not "opened" or "closed"'],
  ])('is one for issues with what only merge requests have: %s', (conditions, why) => {
    const text = rules(issueRule(conditions, '{ todo: true }'))
    expect(warnings(text)).toEqual([`f.yml:5:5: warning: rules[0].if: never matches: ${why}`])
    expect(warnings(text.replace('    for: issues\n', ''))).toEqual([])
  })
  it.each(['{ state: opened }', '{ state: [closed, merged] }', '{ any: [{ state: merged }, { labels: bug }] }'])(
    'is not one for issues that may match: %s',
    (conditions) => {
      expect(warnings(rules(issueRule(conditions, '{ todo: true }')))).toEqual([])
    },
  )
  it('is found through definitions', () => {
    const text = rules(rule('{ use: ready, draft: true }', '{ subscribe: true }')).replace(
      '\n',
      '\ndefs: { ready: { draft: false } }\n',
    )
    expect(warnings(text)).toEqual([expect.stringContaining('never matches: draft false and draft true')])
  })
  it('says nothing where there are too many alternatives to look at', () => {
    const any = (fact: string) =>
      `{ any: [${Array.from({ length: 20 }, (_, index) => `{ ${fact}: ${index} }`).join(', ')}] }`
    const many = `{ all: [${any('upvotes')}, ${any('downvotes')}, { draft: true }, { draft: false }] }`
    expect(never(many)).toEqual([])
  })
})

describe('an action that is never done', () => {
  it('is one whose own conditions exclude those of the rule', () => {
    expect(warnings(rules(rule('{ state: merged }', '{ subscribe: true, approve: true }')))).toEqual([
      'f.yml:5:30: warning: rules[0].then.approve: is never done: state "merged" and state "opened" exclude each other',
    ])
    expect(warnings(rules(rule('{ draft: true }', '{ accept: true }')))).toHaveLength(1)
  })
  it('is not one that an event asks for: it may be done later', () => {
    expect(warnings(rules(onEvent('push', '{ draft: true }', '{ accept: true }')))).toEqual([])
  })
})

describe('a value that never wins', () => {
  const two = (one: string, other: string, actions = ['{ milestone: "1" }', '{ milestone: "2" }']) =>
    warnings(rules(rule(one, actions[0] ?? '', 'first'), rule(other, actions[1] ?? '', 'second')))
  const lost = 'never wins: the rule "first" (line 3) comes first wherever this one matches'
  it.each([
    ['{ draft: false }', '{ draft: false, state: opened }'],
    ['{ state: [opened, closed] }', '{ state: opened }'],
    ['{ commits_count: { at_least: 2 } }', '{ commits_count: { more_than: 5 } }'],
    ['{ labels: { any: [a, b] } }', '{ labels: { any: [a] }, draft: true }'],
    ['{ labels: { none: [a] } }', '{ labels: { none: [a, b] } }'],
    ['{ state: { not: merged } }', '{ state: opened }'],
  ])('%s before %s', (one, other) => {
    expect(two(one, other)).toEqual([`f.yml:8:13: warning: rules[1].then.milestone: ${lost}`])
  })
  it.each([
    [
      'it says the same',
      '{ draft: false }',
      '{ draft: false, state: opened }',
      ['{ milestone: "1" }', '{ milestone: "1" }'],
    ],
    ['the first may be unknown', '{ any: [{ draft: true }, { draft: false }] }', '{ state: opened }', undefined],
    ['the first asks for more', '{ state: opened, draft: false }', '{ draft: false }', undefined],
    ['each has its own', '{ draft: false }', '{ draft: false }', ['{ comment: a }', '{ comment: b }']],
    [
      'the first may have to wait',
      '{ draft: false }',
      '{ draft: false }',
      ['{ accept: true }', '{ accept: { pipeline: none } }'],
    ],
  ])('but not where %s', (_why, one, other, actions) => {
    expect(two(one, other, actions)).toEqual([])
  })
})

describe('rules that conflict', () => {
  const two = (one: [string, string], other: [string, string]) =>
    warnings(rules(rule(...one, 'first'), rule(...other, 'second')))
  it('are one that adds the label that the other removes', () => {
    const adds: [string, string] = ['{ draft: true }', '{ label: { add: [a, b] } }']
    expect(two(adds, ['{ state: opened }', '{ label: { remove: b } }'])).toEqual([
      'f.yml:8:13: warning: rules[1].then.label: removes "b" in labels, but the rule "first" (line 3) adds it, and both can match at once',
    ])
  })
  it('are kept apart by nothing but the label itself', () => {
    const adds: [string, string] = ['{ labels: { none: [a] } }', '{ label: { add: a } }']
    expect(two(adds, ['{ labels: { any: [a] } }', '{ label: { remove: a } }'])).toHaveLength(1)
  })
  it.each([
    ['{ label: { while: a } }', '{ label: { remove: a } }', 1],
    // The restraining action wins, so nothing is undecided.
    ['{ approve: true }', '{ unapprove: true }', 0],
    ['{ subscribe: true }', '{ unsubscribe: true }', 0],
    ['{ accept: { when: pipeline_succeeds } }', '{ cancel_accept: true }', 0],
  ])('are %s and %s, in either order: %i', (one, other, conflicts) => {
    expect(two(['{ state: opened }', one], ['{ draft: false }', other])).toHaveLength(conflicts)
    expect(two(['{ draft: false }', other], ['{ state: opened }', one])).toHaveLength(conflicts)
  })
  it('may be one rule with itself', () => {
    expect(warnings(rules(rule('{ state: opened }', '{ approve: true, unapprove: true }')))).toEqual([
      'f.yml:5:13: warning: rules[0].then.approve: is never done: unapprove in the same rule wins',
    ])
  })
  it('are not the release freeze of the cookbook and a rule that accepts', async () => {
    const recipes = await Promise.all(
      ['accept-when-green', 'release-freeze'].map((name) => readFile(`rules/examples/${name}.yml`, 'utf8')),
    )
    const [one = '', other = ''] = recipes.map((text) => text.slice(text.indexOf('rules:\n') + 'rules:\n'.length))
    expect([warnings(rules(one, other)), warnings(rules(other, one))]).toEqual([[], []])
  })
  it.each([
    ['exclude each other', '{ draft: true }', '{ draft: false }', 'a'],
    ['are for other labels', '{ labels: { any: [x] } }', '{ labels: { none: [x] } }', 'a'],
    ['change different labels', '{ draft: true }', '{ draft: true }', 'b'],
  ])('are none that %s', (_why, one, other, removed) => {
    expect(two([one, '{ label: { add: a } }'], [other, `{ label: { remove: ${removed} } }`])).toEqual([])
  })
  it('are none of a state and an event: that is a person’s word', () => {
    const adds = rule('{ draft: true }', '{ label: { add: a } }')
    const onNote = onEvent('note.create', '{ draft: true }', '{ label: { remove: a } }')
    expect(warnings(rules(adds, onNote))).toEqual([])
  })
  it('are rules for the same event, but not two commands', () => {
    const x = (on: string) => onEvent(on, '{ draft: true }', '{ label: { add: a } }', 'x')
    const y = (on: string) => onEvent(on, '{ draft: true }', '{ label: { remove: a } }', 'y')
    const pair = (one: string, other: string) => warnings(rules(x(one), y(other)))
    expect(pair('push', '[push, note.create]')).toHaveLength(1)
    expect(pair('push', 'note.create')).toEqual([])
    const command = (word: string, actions: string) => `  - name: ${word}\n    command: ${word}\n    then: ${actions}\n`
    expect(warnings(rules(command('merge', '{ accept: true }'), command('hold', '{ cancel_accept: true }')))).toEqual(
      [],
    )
  })
  it('are rules that act: one that is off or only observes conflicts with none', () => {
    const text = rules(
      rule('{ draft: true }', '{ subscribe: true }', 'x'),
      `${rule('{ draft: true }', '{ unsubscribe: true }', 'y')}    mode: observe\n`,
    )
    expect(warnings(text)).toEqual([])
  })
})

it('five hundred rules are looked at, each pair where there is something to say', () => {
  const many = Array.from({ length: 499 }, (_, index) =>
    rule(`{ author: user${index} }`, '{ label: { add: a } }', `rule ${index}`),
  )
  expect(warnings(rules(...many, rule('{ author: user0 }', '{ label: { remove: a } }', 'last')))).toHaveLength(1)
})

const folder = new URL('../../../rules/', import.meta.url)
const names = ['.', 'examples'].flatMap((each) =>
  readdirSync(new URL(`${each}/`, folder)).map((name) => `${each}/${name}`),
)
it.each(names.filter((name) => name.endsWith('.yml') && !name.endsWith('.test.yml')))(
  'what ships says what it means: %s',
  (name) => {
    expect(warnings(readFileSync(new URL(name, folder), 'utf8'))).toEqual([])
  },
)

function findings(on: string) {
  const then = 'then: { label: { add: x } }'
  const text = `version: 1\nrules:\n  - { name: seen, command: merge, ${then} }\n  - { name: r, ${on}, ${then} }\n`
  const read = readRules(text, '.bellhop.yml', { trust: 'repository' })
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'))
  return unseenWithoutHooks(read.rules)
}

test.each([
  'on: note.create',
  'on: [merge_request.open, merge_request.merge, merge_request.close, pipeline.failed]',
  'on: { merge_request.update: { changed: [labels] } }',
  'if: { draft: false }',
])('%s is seen', (on) => {
  expect(findings(on)).toEqual([])
})

test.each([
  ['on: note.update', 'note.update: bellhop run does not see it: only hooks tell'],
  ['on: merge_request.approved', 'merge_request.approved: bellhop run does not see it: only hooks tell'],
  ['on: note.*', 'note.*: bellhop run sees only note.create'],
  ['on: merge_request.update', 'merge_request.update: bellhop run sees only changes of labels'],
  [
    'on: { merge_request.update: { changed: [labels, title] } }',
    'merge_request.update: bellhop run sees only changes of labels',
  ],
])('%s is not', (on, message) => {
  expect(findings(on)).toEqual([{ path: ['rules', 1, 'on'], message }])
})
