// What a rule test says of the service beside facts.
import { formatProblem } from '../../../src/rules/language/documents/rule-document.ts'
import { idOf } from '../../../src/rules/testing/given-service.ts'
import { readRuleTests } from '../../../src/rules/testing/test-document.ts'
import { run } from '../run-rule-test.ts'

const text = `rules:
  - name: security
    if: { approved_by: { members_of: team/security, access: maintainer } }
    then: { subscribe: true }
`
const passed = (given: string, then = 'then: { subscribe: true }') =>
  run(text, `given: { approved_by: [alice], ${given} }`, then).passed

describe('groups', () => {
  it.each([
    ['groups: { team/security: { alice: maintainer } }', undefined],
    ['groups: { team/security: [alice] }', 'nothing: true'],
    ['groups: { team/security: [] }', 'nothing: true'],
    ['groups: { team: { alice: maintainer } }', 'nothing: true'],
  ])('%s: %s', (given, then) => {
    expect(passed(given, then)).toBe(true)
  })
  it.each([
    ['groups: { team: [alice], team/security: [bob] }', undefined],
    ['groups: { team/security: [bob], team/security/web: [alice], teams: [alice] }', 'nothing: true'],
    ['groups: { team: [alice] }', 'nothing: true'],
  ])('%s, with those above: %s', (given, then = 'then: { subscribe: true }') => {
    const inherited = text.replace('access: maintainer', 'inherited: true')
    expect(run(inherited, `given: { approved_by: [alice], ${given} }`, then).passed).toBe(true)
    expect(
      run(inherited.replace('true }', 'false }'), `given: { approved_by: [alice], ${given} }`, 'nothing: true').passed,
    ).toBe(true)
  })
})

describe('what a rule that picks reviewers asks for', () => {
  const picking = (args: string) => `rules:\n  - { name: pick, if: { draft: false }, then: { review: ${args} } }\n`
  it.each([
    ['{ from: { members_of: team } }', 'groups: { team: [alice, bob] }', 'bob'],
    ['{ from: code_owners }', 'code_owners: "* @carol", changed_files: [a.md]', 'carol'],
    ['{ from: code_owners }', 'code_owners: "* @team/ünits", groups: { team: [alice] }', undefined],
    ['{ from: [bob, carol] }', 'busy: [carol]', 'bob'],
    ['{ from: [bob, carol], by: fewest_open }', 'open_reviews: { bob: 2, carol: 3 }', 'bob'],
    ['{ from: [bob, carol], by: fewest_open }', 'open_reviews: { bob: 4, carol: 3 }', 'carol'],
  ])('%s with %s asks %s', (args, given, name) => {
    const expected = name === undefined ? 'nothing: true' : `then: { review: ${name} }`
    expect(run(picking(args), `given: { ${given} }`, expected)).toMatchObject({ passed: true })
  })
  it('is said by an earlier state as well', () => {
    const rules = picking('{ from: [bob, carol], replace_after: 1d }')
    const before = 'before: [{ clock: 2026-01-14T12:00Z, busy: [bob] }]'
    expect(run(rules, before, 'given: { clock: 2026-01-14T18:00Z }', 'nothing: true').passed).toBe(true)
    // bob is still busy.
    expect(run(rules, before, 'given: { clock: 2026-01-16T18:00Z }', 'nothing: true').passed).toBe(true)
  })
})

describe('who set a label', () => {
  const rules = `rules:
  - name: backport
    if: { state: merged }
    then: { backport: { from_labels: { label: "to *", branch: "*", set_by: { members_of: team } } } }
`
  const given = 'state: merged, labels: ["to next"], groups: { team: [rita] }'
  it.each([
    ['labelled_by: { "to next": rita }', 'then: { backport: { to: next } }'],
    ['labelled_by: { "to next": bob }', 'nothing: true'],
    ['labelled_by: { "to last": rita }', 'nothing: true'],
  ])('%s: %s', (labelledBy, expected) => {
    expect(run(rules, `given: { ${given}, ${labelledBy} }`, expected)).toMatchObject({ passed: true })
  })
})

it.each([
  ['groups: [alice]', 'expected a mapping of groups'],
  ['groups: { "a b": [alice] }', 'expected the full path of a group'],
  ['groups: { team: { alice: boss } }', 'expected one of'],
  ['busy: { a: 1 }', 'expected a user name'],
  ['open_reviews: [alice]', 'expected a mapping of user names'],
  ['open_reviews: { alice: many }', 'expected a mapping of user names'],
  ['code_owners: [a]', 'expected the text of CODEOWNERS'],
  ['labelled_by: [rita]', 'expected a mapping of labels to user names'],
  ['labelled_by: { x: 7 }', 'expected a user name'],
])('%s is refused', (given, problem) => {
  const read = readRuleTests(`tests:\n  - { name: one, given: { ${given} }, nothing: true }\n`, 't.yml', ['security'])
  expect(read.ok ? [] : read.problems.map(formatProblem)).toEqual([expect.stringContaining(problem)])
})

it('a name has the same number in any case, and names have different ones', () => {
  expect(idOf('Alice')).toBe(idOf('alice'))
  expect(new Set(['alice', 'bob', 'carol', 'dora'].map(idOf)).size).toBe(4)
})
