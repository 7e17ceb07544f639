// In what order rules are evaluated, and under which names.
import { expect, it } from 'vitest'
import { hasRulesForIssues, ruleSet } from '../../../../src/rules/engine/conditions/rules-in-force.ts'
import type { Mode, RuleFileInForce } from '../../../../src/rules/language/values/rule-types.ts'
import { file, issueRule, rule, rules } from '../../world.ts'

const one = (name: string) => rules(rule('{ draft: false }', '{ subscribe: true }', name))

it('the operator’s rules come before the repository’s, whatever the order of the files', () => {
  const files = [file(one('b'), { trust: 'repository' }), file(one('a'))]
  expect(ruleSet(files).rules.map(({ name }) => name)).toEqual(['rules/test.yml#a', '.bellhop.yml#b'])
})

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
