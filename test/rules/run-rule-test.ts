// Runs one rule test, written as YAML, against one file of rules.
import { formatProblem } from '../../src/rules/language/documents/rule-document.ts'
import { runRuleTest } from '../../src/rules/testing/run-rule-test.ts'
import { readRuleTests } from '../../src/rules/testing/test-document.ts'
import { file } from './world.ts'

/** One test of some rules; its lines are YAML. */
export function run(rules: string, ...lines: string[]) {
  const inForce = file(rules)
  const text = ['tests:', '  - name: the test', ...lines.map((line) => `    ${line}`)].join('\n')
  const names = inForce.rules.rules.map(({ name }) => name)
  const read = readRuleTests(text, 'x.test.yml', names)
  if (!read.ok) throw new Error(read.problems.map(formatProblem).join('\n'))
  const [test] = read.read
  if (test === undefined) throw new Error('no test was read')
  return runRuleTest(test, [inForce])
}

export const passes = (rules: string, ...lines: string[]) =>
  expect(run(rules, ...lines)).toMatchObject({ passed: true, expected: [], found: [], problems: [] })

export const docs =
  'rules:\n  - name: docs\n    if: { changed_files: { all: "docs/**" } }\n    then: { label: { add: documentation } }\n'
export const approve =
  'rules:\n  - name: small\n    if: { lines_changed: { less_than: 50 }, draft: false }\n    then: { approve: true }\n'
