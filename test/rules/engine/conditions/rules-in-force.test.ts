// In what order rules are evaluated, and under which names.
import {
  hasRulesForIssues,
  ruleEvaluations,
  ruleSet,
  withValues,
} from '../../../../src/rules/engine/conditions/rules-in-force.ts'
import type { Mode, RuleFileInForce } from '../../../../src/rules/language/values/rule-types.ts'
import type { FactValue } from '../../../../src/rules/types.ts'
import { file, input, issueRule, rule, rules } from '../../world.ts'

const one = (name: string) => rules(rule('{ draft: false }', '{ subscribe: true }', name))

it('two rules never share a name', () => {
  expect(ruleSet([file(one('a')), file(one('a'))]).rules.map(({ name }) => name)).toEqual([
    'rules/test.yml#a',
    'rules/test.yml#a#2',
  ])
})

it('a rule for issues counts unless it, or the project, is turned off', () => {
  const forIssues = (more = '') => [file(rules(issueRule('{ state: opened }', '{ todo: true }', more)))]
  const policy = (mode: Mode) => ({ mode, includeFrom: [], newRuleLimit: 0 })
  const has = (files: RuleFileInForce[], mode: Mode = 'act') => hasRulesForIssues({ files, policy: policy(mode) })
  expect([has(forIssues()), has(forIssues('    mode: observe\n'))]).toEqual([true, true])
  expect(has([file(one('a'))]) || has(forIssues('    mode: off\n')) || has(forIssues(), 'off')).toBe(false)
})

it('a file that is in force in several projects has the mode of each', () => {
  const files = [file(one('a'), { trust: 'repository' })]
  const modes = (mode?: Mode) => ruleSet(files, mode && { mode }).rules.map((each) => each.mode)
  expect([modes(), modes('observe'), modes('off'), modes('act')]).toEqual([['act'], ['observe'], ['off'], ['act']])
})

const text = rules(
  rule('{ title: { matches: "(?<type>.*)" } }', '{ label: { add: "type::{{ type }}" }, subscribe: true }', 'values'),
  rule('{ state: opened }', '{ label: { add: a } }', 'plain'),
)
const [values, plain] = ruleEvaluations(input([file(text)]))
const filled = (value: FactValue, evaluation = values) => {
  if (evaluation === undefined) throw new Error('no such rule')
  return withValues(evaluation, { publicFact: () => value }).rule
}
const known = (value: string): FactValue => ({ is: 'known', value, complete: true })

it('fills in the values that name groups, and leaves other actions alone', () => {
  expect(filled(known('feat')).actions).toMatchObject([{ args: { add: ['type::feat'] } }, { args: true }])
})
it.each<[FactValue, string]>([
  [known('a,b'), '{{ type }} is "a,b"; expected at most 50 letters'],
  [{ is: 'absent', reason: 'gone' }, '{{ type }} has no value: gone'],
  [{ is: 'unread', source: 'note' }, '{{ type }} has no value: it was not read'],
])('refuses the value %j', (value, reason) => {
  expect(filled(value).actions[0]?.refused).toContain(reason)
})
it('gives each value a fingerprint of its own, the same each time', () => {
  const prints = [known('feat'), known('feat'), known('fix'), known('a,b')].map((each) => filled(each).fingerprint)
  expect([prints[0] === prints[1], new Set(prints).size]).toEqual([true, 3])
})
it('is the rule itself where no value names a group', () => {
  expect(filled(known('feat'), plain)).toBe(plain?.rule)
})
