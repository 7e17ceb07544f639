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
