// The budget of steps that the patterns of one decision share.
import { decide } from '../../../../src/rules/engine/decide.ts'
import {
  createGroupReader,
  createStepBudget,
  MOST_STEPS,
  type StepBudget,
} from '../../../../src/rules/language/patterns/pattern-budget.ts'
import { expressionPattern } from '../../../../src/rules/language/patterns/patterns.ts'
import type { Verdict } from '../../../../src/rules/types.ts'
import { answers, file, input, rule, rules } from '../../world.ts'

describe('a budget of steps', () => {
  const holds = { test: (): Verdict => 'true' }
  const test = (budget: StepBudget, condition: typeof holds, value: string, steps: number) =>
    budget.verdict(condition, { steps: () => steps }, { value })
  it('is taken from until it is exceeded, and stays so', () => {
    const budget = createStepBudget(100)
    expect([test(budget, { ...holds }, 'a', 60), test(budget, { ...holds }, 'a', 40), budget.isExceeded]).toEqual([
      'true',
      'true',
      false,
    ])
    expect([test(budget, { ...holds }, 'a', 1), budget.isExceeded, test(budget, { ...holds }, 'a', 0)]).toEqual([
      'unknown',
      true,
      'unknown',
    ])
  })
  it('tests nothing that goes beyond it', () => {
    const budget = createStepBudget(100)
    const untested = { test: () => expect.fail('it was tested') }
    expect(budget.verdict(untested, { steps: () => 101 }, { value: 'a' })).toBe('unknown')
    const uncounted = { steps: () => expect.fail('its steps were counted') }
    expect(budget.verdict(untested, uncounted, { value: 'b' })).toBe('unknown')
  })
  it('tests the same condition on the same value once, and keeps what it found', () => {
    const [budget, condition] = [createStepBudget(100), holds]
    expect([test(budget, condition, 'a', 60), test(budget, condition, 'a', 60), budget.taken]).toEqual([
      ...['true', 'true'],
      60,
    ])
    expect(test(budget, condition, 'b', 60)).toBe('unknown')
    expect(test(budget, condition, 'a', 60)).toBe('true')
  })
})

describe('the groups of a match', () => {
  it('are read once for all rules with the same condition', () => {
    const reads: string[] = []
    const pattern = { ...expressionPattern('x'), groups: (text: string) => ({ text: String(reads.push(text)) }) }
    const read = createGroupReader()
    expect([read(pattern, 'a'), read(pattern, 'a'), read(pattern, 'b')]).toEqual([
      { text: '1' },
      { text: '1' },
      { text: '2' },
    ])
  })
  it('are within the budget of the evaluation: beyond it no rule of the repository acts', () => {
    const expression = '(?<word>d.{0,20}r)'
    const text = 'a door '.repeat(300)
    const pattern = expressionPattern(expression)
    const plain = expressionPattern('d.{0,20}r')
    expect(pattern.steps(text)).toBeGreaterThan(2 * plain.steps(text))
    const callsOf = (count: number) => {
      const all = Array.from({ length: count }, (_, index) =>
        rule(`{ description: { matches: "${expression}|${index}" } }`, '{ label: { add: has } }', `${index}`),
      )
      const files = [file(rules(...all), { trust: 'repository' })]
      const result = decide(input(files, { answers: answers({ description: text, labels: [] }) }))
      return 'decision' in result ? result.decision.calls.length : result.needs
    }
    const fits = Math.floor(MOST_STEPS / expressionPattern(`${expression}|1`).steps(text))
    expect(callsOf(Math.floor(fits / 2))).toBe(1)
    expect(callsOf(2 * fits)).toBe(0)
  })
})
