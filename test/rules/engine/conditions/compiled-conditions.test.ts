// Compiling: equal conditions of a file are one, and a file is compiled once.
import { expect, it } from 'vitest'
import { compiledFile } from '../../../../src/rules/engine/conditions/compiled-conditions.ts'
import { file, rule, rules } from '../../world.ts'

const compiledOf = (...conditions: string[]) => {
  const { rules: ruleFile } = file(
    rules(...conditions.map((each, index) => rule(each, '{ todo: true }', `rule ${index}`))),
  )
  return { ruleFile, compiled: compiledFile(ruleFile) }
}

it('equal conditions of different rules are one, with all that is inside them', () => {
  const { compiled } = compiledOf(
    '{ draft: true, labels: a }',
    '{ not: { draft: true } }',
    '{ draft: true, labels: a }',
    '{ draft: false }',
  )
  const [first, second, third, fourth] = compiled
  expect(third).toBe(first)
  expect(second?.parts[0]).toBe(first?.parts[0])
  expect(fourth).not.toBe(first?.parts[0])
})

it('what differs in its operator or its combination is not', () => {
  const { compiled } = compiledOf(
    '{ labels: { any: a } }',
    '{ labels: { all: a } }',
    '{ any: [{ draft: true }] }',
    '{ all: [{ draft: true }] }',
  )
  expect(new Set(compiled).size).toBe(4)
})

it('a file is compiled once as long as it is in force', () => {
  const { ruleFile, compiled } = compiledOf('{ draft: true }')
  expect(compiledFile(ruleFile)).toBe(compiled)
})
