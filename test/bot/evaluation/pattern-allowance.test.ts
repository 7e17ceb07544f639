// What a project's patterns may take within a minute.
import { describe, expect, it } from 'vitest'
import { createPatternAllowance, MOST_STEPS_A_MINUTE } from '../../../src/bot/evaluation/pattern-allowance.ts'
import { MOST_STEPS, type PatternWork } from '../../../src/rules/language/patterns/pattern-budget.ts'

function world() {
  let at = Date.parse('2026-11-21T12:00:00Z')
  const allowance = createPatternAllowance(() => at)
  const take = (project: number, steps: number) =>
    allowance.within(project, async (work: PatternWork) => {
      work.taken = steps
      return work.repositorySteps
    })
  return { take, pass: (ms: number) => (at += ms) }
}

describe('the allowance of a project', () => {
  it('is a whole budget for each evaluation, until a minute’s are used up', async () => {
    const { take } = world()
    const given: number[] = []
    for (let count = 0; count < 11; count += 1) given.push(await take(7, MOST_STEPS - 1))
    expect(MOST_STEPS_A_MINUTE).toBe(10 * MOST_STEPS)
    expect(given.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => MOST_STEPS))
    expect(given[10]).toBe(10)
  })
  it('is there again when the minute is over, and when the clock was set back', async () => {
    const { take, pass } = world()
    await take(7, MOST_STEPS_A_MINUTE)
    expect(await take(7, 0)).toBe(0)
    pass(60_000)
    expect(await take(7, MOST_STEPS_A_MINUTE)).toBe(MOST_STEPS)
    pass(-120_000)
    expect(await take(7, 0)).toBe(MOST_STEPS)
  })
  it('is each project’s own', async () => {
    const { take } = world()
    await take(7, MOST_STEPS_A_MINUTE)
    expect(await take(8, 0)).toBe(MOST_STEPS)
  })
  it('counts what was taken before a failure', async () => {
    const { take } = world()
    const allowance = createPatternAllowance(() => 0)
    const fails = (work: PatternWork) => {
      work.taken = MOST_STEPS_A_MINUTE
      return Promise.reject(new Error('the service is away'))
    }
    await expect(allowance.within(7, fails)).rejects.toThrow('the service is away')
    expect(await allowance.within(7, async (work) => work.repositorySteps)).toBe(0)
    expect(await take(7, 0)).toBe(MOST_STEPS)
  })
})
