// Names in rules: which are certain, of what kind, and where they stand.
import { chatsIn, mentionsIn, mentionsOf } from '../../../src/rules/lint/named-references.ts'
import { file, rule, rules } from '../world.ts'

const mentions = (text: string) =>
  mentionsIn(text, file(text).rules).map(({ kind, name, path }) => [kind, name, path.join('.')])

it('finds labels, users and milestones in conditions and actions, each once', () => {
  const text = rules(
    rule(
      '{ labels: { any: [a], none: [b] }, author: alice }',
      '{ label: { add: [c], remove: a }, assign: bob, milestone: "1.0" }',
    ),
    rule('{ labels: [a], milestone: { not: "2.0" } }', '{ label: { while: d } }', 'other'),
  )
  expect(mentions(text)).toEqual([
    ['label', 'a', 'rules.0.if.labels.any.0'],
    ['label', 'b', 'rules.0.if.labels.none.0'],
    ['user', 'alice', 'rules.0.if.author'],
    ['label', 'c', 'rules.0.then.label.add.0'],
    ['user', 'bob', 'rules.0.then.assign'],
    ['milestone', '1.0', 'rules.0.then.milestone'],
    ['milestone', '2.0', 'rules.1.if.milestone.not'],
    ['label', 'd', 'rules.1.then.label.while'],
  ])
})

it('finds the branch of a merge queue, if it is no pattern', () => {
  const queues = 'queues: [{ name: a, target: "release/*" }, { name: b, target: main }]\n'
  const text = queues + rules(rule('{ draft: false }', '{ accept: { queue: b } }')).replace('version: 1\n', '')
  expect(mentions(text)).toEqual([['branch', 'main', 'queues.1.target']])
})

it('leaves patterns, nobody, and other texts alone', () => {
  const conditions =
    '{ labels: { any: ["a*", { matches: b }] }, assignee: null, title: x, author: { matches: c }, changed_files: [d] }'
  expect(mentions(rules(rule(conditions, '{ assign: null, comment: alice }')))).toEqual([])
})

it('points to the rule where a definition names it', () => {
  const text = `defs: { held: { labels: [hold] } }\n${rules(rule('{ use: held }', '{ subscribe: true }')).replace('version: 1\n', '')}`
  expect(mentions(text)).toEqual([['label', 'hold', 'rules.0.if']])
})

it('finds whom a comment mentions, at its text', () => {
  const text = rules(
    rule('{ draft: true }', '{ comment: { while: "@alice, ask @hotel/desk" } }'),
    rule('{ draft: false }', '{ comment: "@alice, thank you" }', 'other'),
  )
  expect(mentions(text)).toEqual([
    ['mention', 'alice', 'rules.0.then.comment.while'],
    ['mention', 'hotel/desk', 'rules.0.then.comment.while'],
  ])
})

it('finds the CODEOWNERS file that a condition or an action reads, once', () => {
  const text = rules(rule('{ code_owners_approved: true, approved: true }', '{ review: { from: code_owners } }'))
  expect(mentions(text)).toEqual([['code_owners', 'code_owners', 'rules.0.if']])
})

it('finds a group once for each choice of its members, and where they consent', () => {
  const text = rules(
    rule('{ approved_by: { members_of: team }, not: { approved_by: { members_of: team } }, group: team }', '{}'),
    rule(
      '{ author: { members_of: team/web, inherited: true } }',
      '{ review: { from: { members_of: team, access: developer } } }',
      'other',
    ),
  ).replace('then: {}', 'then: { subscribe: true }')
  const found = mentionsIn(text, file(text).rules).map(({ name, members, consents }) => [name, members, consents])
  expect(found).toEqual([
    ['team', { group: 'team', inherited: false }, true],
    ['team', undefined, undefined],
    ['team/web', { group: 'team/web', inherited: true }, undefined],
    ['team', { group: 'team', access: 'developer', inherited: false }, undefined],
  ])
})

it('finds the chats of the operator, each once, at their names', () => {
  const notify = (to: string) => `{ notify: { to: ${to}, text: "@alice, look" } }`
  const text = rules(rule('{ draft: false }', notify('team')), rule('{ draft: true }', notify('team'), 'two'))
  expect(mentions(text)).toEqual([['chat', 'team', 'rules.0.then.notify.to']])
  expect(chatsIn(file(text).rules)).toEqual(['team'])
})

it.each([
  ['@alice, see this.', ['alice']],
  ['Dear @alice and (@hotel/front-desk).', ['alice', 'hotel/front-desk']],
  ['- **@alice**\n- @bob.smith.', ['alice', 'bob.smith']],
  ['@alice @alice', ['alice']],
  ['Write to help@example.com or git@host:a', []],
  ['Run `@alice` or\n\n```\n@bob\n```\n\n    @carol', []],
  ['See https://example.com/@alice and \\@bob', []],
  ['@{{ author }}, @team-{{ name }} and {{ author }}@bob', []],
  ['@all', []],
  ['@', []],
])('%j: %j', (text, expected) => {
  expect(mentionsOf(text)).toEqual(expected)
})
