// Budgets of steps, and decisions that are made in turns: the same decision as at once.
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/rules/decide.ts'
import { createPatternWork, createStepBudget, MOST_STEPS, PatternPause } from '../../src/rules/pattern-work.ts'
import { answer, answers, change, file, input, mergeRequest, rule, rules } from './world.ts'

describe('a budget of steps', () => {
  it('is taken from until it is exceeded, and stays so', () => {
    const budget = createStepBudget(100)
    expect([budget.take({}, 'a', () => 60), budget.take({}, 'a', () => 40), budget.isExceeded]).toEqual([true, true, false])
    expect([budget.take({}, 'a', () => 1), budget.isExceeded, budget.take({}, 'a', () => 0)]).toEqual([false, true, false])
  })
  it('charges the same condition on the same value once', () => {
    const [budget, condition] = [createStepBudget(100), {}]
    expect([budget.take(condition, 'a', () => 60), budget.take(condition, 'a', () => 60), budget.taken]).toEqual([true, true, 60])
    expect(budget.take(condition, 'b', () => 60)).toBe(false)
  })
})

describe('a decision in turns', () => {
  const conditions = ['{ title: { matches: "d.{0,20}r" } }', '{ changed_files: { any: ["a*b*c", { matches: "e[0-9]y" }] } }']
  const files = [file(rules(...conditions.map((each, index) => rule(each, '{ label: { add: x } }', `${index}`))), { trust: 'repository' })]
  const paths = Array.from({ length: 50 }, (_, index) => change(`a/${index}/file${index}x`))
  const given = input(files, { answers: answers({}, { changes: answer({ ...mergeRequest(), changes: paths }) }) })

  it('pauses before a match, keeps what was matched, and comes to the same decision', () => {
    let [pauses, left] = [0, 0]
    const work = createPatternWork({
      repositorySteps: MOST_STEPS,
      spend() {
        if (left === 0) throw new PatternPause()
        left -= 1
      },
    })
    for (;;) {
      left = 5
      try {
        expect(decide({ ...given, work })).toEqual(decide(given))
        break
      } catch (error) {
        if (!(error instanceof PatternPause)) throw error
        pauses += 1
      }
    }
    // The title, and two patterns for each of fifty files: five at a time.
    expect(pauses).toBeGreaterThan(10)
    expect(pauses).toBeLessThanOrEqual(26)
  })
  it('says what the rules of the repository took', () => {
    const work = createPatternWork({ repositorySteps: MOST_STEPS, spend: () => {} })
    decide({ ...given, work })
    expect(work.taken).toBeGreaterThan(1000)
    expect(work.taken).toBeLessThan(100_000)
  })
})
