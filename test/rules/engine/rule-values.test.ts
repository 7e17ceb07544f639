// Values of a matched rule: filled in where they fit, else refused with a reason, and part of the rule's fingerprint.
import { expect, it } from 'vitest'
import { ruleEvaluations, withValues } from '../../../src/rules/engine/conditions/rules-in-force.ts'
import type { FactValue } from '../../../src/rules/types.ts'
import { file, input, rule, rules } from '../world.ts'

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
