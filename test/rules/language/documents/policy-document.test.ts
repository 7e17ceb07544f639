// The policy file: its entries, and what is refused with line and column.
import { actions } from '../../../../src/rules/actions/index.ts'
import { readPolicy } from '../../../../src/rules/language/documents/policy-document.ts'
import { formatProblem } from '../../../../src/rules/language/documents/rule-document.ts'

function entries(text: string) {
  const read = readPolicy(text, 'policy.yml')
  if (!read.ok) throw new Error(read.problems.map(formatProblem).join('\n'))
  return read.entries
}
function problems(text: string) {
  const read = readPolicy(text, 'policy.yml')
  return read.ok ? [] : read.problems.map(formatProblem)
}

describe('a policy file', () => {
  it('says by project what rules may do', () => {
    const text = `
version: 1
policy:
  - projects: [hotel/*, motel/app]
    mode: observe
    repository_rules: { allow: [label, comment], merge_into: release/* }
    include_from: hotel/rules
    issues: any
    groups: any
    absent: [alice, bob]
    new_rule_limit: 0
`
    expect(entries(text)).toEqual([
      {
        projects: ['hotel/*', 'motel/app'],
        mode: 'observe',
        allows: ['label', 'comment'],
        mergesInto: ['release/*'],
        includeFrom: ['hotel/rules'],
        issues: 'any',
        groups: 'any',
        absent: ['alice', 'bob'],
        newRuleLimit: 0,
      },
    ])
  })
  it('allows every action but the denied ones', () => {
    const [entry] = entries('policy: [{ repository_rules: { deny: [accept, approve] } }]')
    expect(new Set(entry?.allows)).toEqual(
      new Set(Object.keys(actions).filter((name) => name !== 'accept' && name !== 'approve')),
    )
  })
  it.each([
    ['policy: [{ repository_rules: { allow: [label, accept], deny: accept } }]', [{ allows: ['label'] }]],
    ['policy: [{ repository_rules: { allow: [] } }]', [{ allows: [] }]],
    ['', []],
  ])('%j has the entries %j', (text, expected) => {
    expect(entries(text)).toEqual(expected)
  })
})

it.each([
  [
    'policy: [{ mode: observer }]',
    /policy\.yml:1:18: policy\[0\]\.mode: did you mean "observe"\? Found "observer", expected one of act, observe, off/,
  ],
  ['policy: [{ repository_rules: { allow: [aprove] } }]', /did you mean "approve"/],
  ['policy: [{ project: a/b }]', /did you mean "projects"\? Found the unknown key "project"/],
  ['policy: [{ new_rule_limit: -1 }]', /a whole number from 0/],
  ['policy: [{ groups: all }]', /expected one of own, any, found "all"/],
  ['policy: [{ absent: ["@alice"] }]', /expected a user name/],
  ['policy: [{ issues: all }]', /expected one of author, any, found "all"/],
  ['policy: [{ projects: [] }]', /a list of 1 to/],
  ['version: 2\npolicy: []', /policy\.yml:1:10: version/],
  ['policy: []', /policy/],
  ['- a', /a mapping with version, policy/],
  ['policy: [', /policy\.yml:1:\d+: expected valid YAML/],
  ['mode: observe', /the key "policy"/],
])('%s is refused', (text, expected) => {
  expect(problems(text).join('\n')).toMatch(expected)
})
