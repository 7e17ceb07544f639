// What a rule test says of the service beside facts.
import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../../src/rules/language/documents/rule-document.ts'
import { idOf } from '../../../src/rules/testing/given-service.ts'
import { readRuleTests } from '../../../src/rules/testing/test-document.ts'
import { run } from '../run-rule-test.ts'

const text = `rules:
  - name: security
    if: { approved_by: { members_of: team/security, access: maintainer } }
    then: { subscribe: true }
`
const test = (given: string) => `tests:\n  - { name: one, given: { ${given} }, nothing: true }\n`
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
    ['groups: [alice]', 'expected a mapping of groups'],
    ['groups: { "a b": [alice] }', 'expected the full path of a group'],
    ['groups: { team: { alice: boss } }', 'expected one of'],
  ])('%s is refused', (given, problem) => {
    const read = readRuleTests(test(given), 't.yml', ['security'])
    expect(read.ok ? [] : read.problems.map(formatProblem)).toEqual([expect.stringContaining(problem)])
  })
})

it('a name has the same number in any case, and names have different ones', () => {
  expect(idOf('Alice')).toBe(idOf('alice'))
  expect(new Set(['alice', 'bob', 'carol', 'dora'].map(idOf)).size).toBe(4)
})
