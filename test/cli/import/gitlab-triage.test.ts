// What a policy of gitlab-triage becomes. The policies are written for these tests.
import { parse } from 'yaml'
import { importGitlabTriage } from '../../../src/cli/import/gitlab-triage.ts'
import { ruleFileOf } from '../../../src/cli/import/imported.ts'
import { readDocumentYaml } from '../../../src/rules/language/yaml/yaml-text.ts'

function imported(text: string) {
  const read = readDocumentYaml(text, 'triage.yml')
  const found = read.ok ? importGitlabTriage(read.yaml.value) : undefined
  if (!read.ok || found === undefined) throw new Error('it cannot be read')
  const { text: rules, missing } = ruleFileOf(found, read.yaml)
  return { rules: parse(rules).rules, missing: missing.map(({ line, message }) => `${line}: ${message}`) }
}
const policy = (conditions: string, actions = '{ status: close }', resource = 'issues') =>
  imported(`resource_rules:
  ${resource}:
    rules:
      - name: one
        conditions: ${conditions}
        actions: ${actions}
`)

test.each([
  ['{ state: opened, labels: [bug] }', { state: 'opened', labels: ['bug'] }],
  ['{ labels: [a, b] }', { labels: ['a'], all: [{ labels: ['b'] }] }],
  [
    '{ labels: ["a::{x, y}"], forbidden_labels: ["v{1..3}"] }',
    { labels: { any: ['a::x', 'a::y'], none: ['v1', 'v2', 'v3'] } },
  ],
  ['{ labels: [No Label] }', { labels: { none: '*' } }],
  ['{ labels: [a], no_additional_labels: true }', { labels: { any: ['a'], all: ['a'] } }],
  ['{ milestone: [No Milestone] }', { milestone: null }],
  ['{ milestone: any }', { milestone: { not: null } }],
  [
    '{ date: { attribute: updated_at, condition: older_than, interval_type: months, interval: 2 } }',
    { updated: { older_than: '60d' } },
  ],
  [
    '{ date: { attribute: created_at, condition: newer_than, interval_type: hours, interval: 6 } }',
    { age: { newer_than: '6h' } },
  ],
  ['{ votes: { attribute: upvotes, condition: greater_than, threshold: 10 } }', { upvotes: { more_than: 10 } }],
  [
    '{ author_member: { source: group, condition: not_member_of, source_id: hotel } }',
    { author: { not: { members_of: 'hotel' } } },
  ],
  [
    `{ ruby: 'resource["assignees"].length == 0 && resource[:title].downcase.match(/^wip/)' }`,
    { assigned: false, title: { matches: '(?i)^wip' } },
  ],
])('%s', (conditions, expected) => {
  const { rules, missing } = policy(conditions)
  const parts = rules.map(({ name, for: subject, if: test, then: done }: Record<string, unknown>) => [
    name,
    subject,
    test,
    done,
  ])
  expect([parts, missing]).toEqual([[['one', 'issues', expected, { close: true }]], []])
})

test('actions, mentions, quick actions and shared parts of a policy', () => {
  const actions = `
          labels: [x]
          remove_labels: [y]
          mention: [alice]
          comment: |
            {{author}}, it is late.
            /milestone %"17.0"
            /label ~z`
  const [rule] = policy('{ state: opened }', actions, 'merge_requests').rules
  expect([rule.for, rule.then]).toEqual([
    undefined,
    { label: { add: ['x', 'z'], remove: ['y'] }, comment: '@alice\n\n@{{ author }}, it is late.\n', milestone: '17.0' },
  ])
  const shared = imported(`.open: &open { state: opened }
resource_rules:
  issues:
    rules:
      - { name: same, conditions: { <<: *open, labels: [a] }, actions: { labels: [b] } }
      - { name: same, conditions: { <<: *open, state: closed }, actions: { labels: [b] } }
`)
  expect(shared.rules).toMatchObject([
    { name: 'same', if: { state: 'opened', labels: ['a'] } },
    { name: 'same (2)', if: { state: 'closed' } },
  ])
})

test('what has no equal is listed with its line; a policy without one of its conditions would act on more', () => {
  expect(policy('{ state: opened, iteration: 3 }')).toEqual({
    rules: [],
    missing: ['5: the condition iteration has no equal: not converted'],
  })
  expect(policy('{ ruby: "`rm -rf /`", constructor: 1 }').missing).toHaveLength(2)
  const { rules, missing } = policy('{ state: opened }', '{ labels: [a], move: b, comment: "#{1}" }')
  expect(rules[0].then).toEqual({ label: { add: ['a'] } })
  expect(missing).toEqual(['6: the action move has no equal', '6: the action comment has no equal'])
  // The check has the last word: an issue is no draft, and a label is no glob.
  expect(policy('{ draft: true }').missing).toEqual([expect.stringMatching(/^4: not converted: rules\[0\].*draft/)])
  expect(policy('{ labels: ["a*"] }').rules).toEqual([])
  expect(imported('resource_rules: { epics: { rules: [] }, issues: { summaries: [] } }').missing).toEqual([
    '1: there are no rules for epics',
    '1: summaries has no equal',
  ])
})

test.each([
  '{ state: opened, weight: constructor }',
  '{ state: opened, author_member: { source: group, condition: toString, source_id: x } }',
  '{ state: opened, votes: { attribute: { toString: 1 }, condition: less_than, threshold: 1 } }',
  '{ state: opened, ruby: { toString: 1 } }',
  '{ state: opened, labels: [{ a: b }] }',
  '{ state: opened, labels: }',
  '{ forbidden_labels: [a, { b: c }] }',
  '{ forbidden_labels: ["v{1..200}"] }',
  `{ labels: ["${'{a,b}'.repeat(40)}{3..1}"] }`,
  `{ labels: ["${'{a}'.repeat(20_000)}"] }`,
  '{ date: { attribute: created_at, condition: older_than, interval_type: moons, interval: 6 } }',
  `{ ruby: 'resource[:title].match(/#{x}/)' }`,
  `{ ruby: 'resource[:title].include?("\\n")' }`,
  `{ ruby: 'not resource[:description] or resource[:description] == "" && closes_issues.size > 0' }`,
])('a condition that is not certainly the same gives no rule: %.80s', (conditions) => {
  expect(policy(conditions, '{ labels: [x] }', 'merge_requests')).toMatchObject({
    rules: [],
    missing: [expect.anything()],
  })
})

test('a line of Ruby begins after each line break', () => {
  const { rules } = policy(`{ ruby: 'resource[:description].match(/^x/i)' }`)
  expect(rules).toMatchObject([{ if: { description: { matches: '(?im)^x' } } }])
})

test('of two quick actions both count, and the last one where there can be one', () => {
  const actions = '{ comment: "/label ~a\\n/label ~b\\n/milestone %1\\n/milestone %2" }'
  const [rule] = policy('{ state: opened }', actions).rules
  expect(rule.then).toEqual({ label: { add: ['a', 'b'] }, milestone: '2' })
  expect(policy('{ state: opened }', '{ labels: [x], comment: "{{ title.x }}" }').missing).toHaveLength(1)
  expect(policy('{ state: opened }', '{ labels: [x], mention: ["{{ title }}"] }').missing).toHaveLength(1)
})

test('many policies, of one name and equal parts, with a name that is no text', () => {
  const each = (name: string) =>
    `      - { name: ${name}, conditions: { labels: [None] }, actions: { status: close } }\n`
  const head = 'resource_rules:\n  issues:\n    rules:\n'
  const { rules, missing } = imported(head + each('{ toString: 1 }') + each('one').repeat(600))
  expect([rules.length, rules[0].name, missing.length]).toEqual([500, 'unnamed', 101])
})
