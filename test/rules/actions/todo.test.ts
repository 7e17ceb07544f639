// todo: once while the rule matches; the service itself knows whether there is one.
import { expect, it } from 'vitest'
import { answers, decideRule, rememberAs, sent } from '../world.ts'

it.each([
  ['already', ['todo']],
  ['refused', []],
] as const)('is made, and what the service answers with %s is remembered so', (result, done) => {
  const decision = decideRule('{ draft: false }', '{ todo: true }')
  expect(sent(decision)).toEqual([['mergeRequests.todo', {}]])
  expect(Object.values(rememberAs(result, decision).rules)[0]?.done).toEqual(done)
})

it('is not made where the merge request cannot be read', () => {
  const decision = decideRule('{ draft: false }', '{ todo: true }', { answers: answers({ state: undefined }) })
  expect(decision.calls).toEqual([])
})
