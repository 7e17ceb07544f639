// Budgets of steps, and decisions that are made in turns: the same decision as at once.
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/rules/engine/decide.ts'
import {
  createGroupReader,
  createPatternWork,
  createStepBudget,
  MOST_STEPS,
  PatternPause,
} from '../../../../src/rules/language/patterns/pattern-budget.ts'
import { expressionPattern } from '../../../../src/rules/language/patterns/patterns.ts'
import { answer, answers, change, changesAnswer, file, head, input, rule, rules } from '../../world.ts'

describe('a budget of steps', () => {
  it('is taken from until it is exceeded, and stays so', () => {
    const budget = createStepBudget(100)
    expect([budget.take({}, 'a', () => 60), budget.take({}, 'a', () => 40), budget.isExceeded]).toEqual([
      true,
      true,
      false,
    ])
    expect([budget.take({}, 'a', () => 1), budget.isExceeded, budget.take({}, 'a', () => 0)]).toEqual([
      false,
      true,
      false,
    ])
  })
  it('charges the same condition on the same value once', () => {
    const [budget, condition] = [createStepBudget(100), {}]
    expect([budget.take(condition, 'a', () => 60), budget.take(condition, 'a', () => 60), budget.taken]).toEqual([
      true,
      true,
      60,
    ])
    expect(budget.take(condition, 'b', () => 60)).toBe(false)
  })
})

describe('a decision in turns', () => {
  const conditions = [
    '{ title: { matches: "d.{0,20}r" } }',
    '{ changed_files: { any: ["a*b*c", { matches: "e[0-9]y" }] } }',
  ]
  const files = [
    file(rules(...conditions.map((each, index) => rule(each, '{ label: { add: x } }', `${index}`))), {
      trust: 'repository',
    }),
  ]
  const paths = Array.from({ length: 50 }, (_, index) => change(`a/${index}/file${index}x`))
  const given = input(files, { answers: answers({}, { changes: changesAnswer(paths) }) })

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

describe('a turn that is smaller than what was matched before', () => {
  /** In how many turns of so many steps the decision is made; each turn begins anew, as those of the bot do. */
  function turnsOf(condition: string, other: Parameters<typeof answers>[1], most: number): number {
    let spent = 0
    const work = createPatternWork({
      repositorySteps: MOST_STEPS,
      spend(steps) {
        if (spent > 0 && spent + steps > most) throw new PatternPause()
        spent += steps
      },
    })
    const files = [file(rules(rule(condition, '{ label: { add: x } }')), { trust: 'repository' })]
    const given = input(files, { answers: answers({}, other) })
    for (let turns = 1; turns <= 1000; turns += 1) {
      spent = 0
      try {
        expect(decide({ ...given, work })).toEqual(decide(given))
        return turns
      } catch (error) {
        if (!(error instanceof PatternPause)) throw error
      }
    }
    throw new Error('the decision is never made')
  }
  const titles = [1, 2, 3, 4, 5].map((each) => `${each}${'d'.repeat(100)}`)

  it('does not begin a list again that is read anew for each turn', () => {
    const commits = titles.map((title, index) => ({ id: index === 0 ? head : 'b'.repeat(40), title, message: title }))
    expect(
      turnsOf('{ commit_titles: { any: [{ matches: "d.{0,100}r" }] } }', { commits: answer(commits) }, 1000),
    ).toBeLessThan(10)
    const issues = titles.map((title, index) => ({
      id: index,
      iid: index,
      project_id: 1,
      title,
      confidential: false,
      labels: [],
    }))
    const closes = { closesIssues: answer(issues) }
    expect(turnsOf('{ closes_issue_titles: { any: [{ matches: "d.{0,100}r" }] } }', closes, 1000)).toBeLessThan(10)
  })
  it('does not spend for the plain globs of a list again', () => {
    const paths = [...titles.map((title) => change(`docs/${title}`)), change('src/a/b.md')]
    const changes = changesAnswer(paths)
    expect(turnsOf('{ changed_files: { all: ["docs/**", "src/*/*.md"] } }', { changes }, 10)).toBeLessThan(20)
  })
})

describe('the groups of a match', () => {
  const condition = '{ title: { matches: "(?<word>d.{0,20}r)" } }'
  const label = (index: number) => rule(condition, '{ label: { add: "has::{{ word }}" } }', `${index}`)

  it('are read once for all rules with the same condition, and not again after a pause', () => {
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
    const files = [file(rules(...[1, 2, 3].map(label)), { trust: 'repository' })]
    const decideWith = (repositorySteps: number) => {
      const work = createPatternWork({ repositorySteps, spend: () => {} })
      const result = decide({ ...input(files, { answers: answers({ title: 'a door', labels: [] }) }), work })
      return 'decision' in result ? [work.taken, result.decision.calls.length] : result.needs
    }
    const [taken] = decideWith(MOST_STEPS)
    expect(decideWith(Number(taken))).toEqual([taken, 1])
    expect(decideWith(Number(taken) - 1)).toEqual([taken, 0])
  })
})
