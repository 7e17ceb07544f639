// Planning: whose call it is, who is lost, and what one rule may do for another.
import { describe, expect, it } from 'vitest'
import { actionNamed } from '../../src/rules/plan.ts'
import { emptyMemory } from '../../src/rules/remember.ts'
import { answers, decided, file, input, rememberDone, rule, rules, sent } from './world.ts'

const two = (first: string, second: string) =>
  file(rules(rule('{ state: opened }', first, 'one'), rule('{ author: alice }', second, 'two')))
const results = (...given: Parameters<typeof two>) => {
  const decision = decided(input([two(...given)]))
  return { results: decision.rules.map((each) => each.actions[0]?.result), sent: sent(decision).map(([endpoint]) => endpoint) }
}

describe('of two rules', () => {
  it('that want different values the first wins', () => {
    const decision = decided(input([two('{ estimate: 1h }', '{ estimate: 2h }')]))
    expect(sent(decision)).toEqual([['mergeRequests.timeEstimate', { duration: '1h' }]])
    expect(decision.rules[1]?.actions[0]).toEqual({ action: 'estimate', result: 'lost', detail: 'the rule rules/test.yml#one came first' })
  })
  it('the first still wins after it acted', () => {
    const given = input([two('{ estimate: 1h }', '{ estimate: { duration: 2h, overwrite: true } }')])
    const memory = rememberDone(emptyMemory(), decided(given))
    const again = decided({ ...given, memory, answers: answers({ time_stats: { time_estimate: 3600 } }) })
    expect(again.calls).toEqual([])
    expect(again.rules.map((each) => each.actions[0]?.result)).toEqual(['done before', 'lost'])
  })
  it('the second acts where the first is held back', () => {
    const given = input([two('{ accept: true }', '{ accept: { pipeline: none } }')], { answers: answers({ head_pipeline: null }) })
    const decision = decided(given)
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['waits', 'call'])
    expect(decision.calls.map((call) => call.rules)).toEqual([['rules/test.yml#two']])
  })
  it('that want the same have one call', () => {
    expect(results('{ subscribe: true }', '{ subscribe: true }')).toEqual({ results: ['call', 'call'], sent: ['mergeRequests.subscribe'] })
  })
})

it('an action is found by its own name only', () => {
  expect(actionNamed('label')?.name).toBe('label')
  expect(actionNamed('constructor')).toBeUndefined()
})
