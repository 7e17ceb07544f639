// todo: once while the rule matches; the service itself knows whether there is one.
import { expect, it } from 'vitest'
import { overTime, whileOn } from '../over-time.ts'
import { answers, decideRule, rememberAs } from '../world.ts'

const todo = whileOn('{ todo: true }')

it('is made once while the rule matches', () => {
  const mr = overTime({ labels: ['on'] })
  expect([mr.sends([todo]), mr.sends([todo])]).toEqual([[['mergeRequests.todo', {}]], []])
  mr.person({ labels: [] })
  mr.turn([todo])
  mr.person({ labels: ['on'] })
  expect(mr.sends([todo])).toEqual([['mergeRequests.todo', {}]])
})

it.each([
  ['already', ['todo']],
  ['refused', []],
] as const)('that the service answers with %s is remembered so', (result, done) => {
  const decision = decideRule('{ draft: false }', '{ todo: true }')
  expect(Object.values(rememberAs(result, decision).rules)[0]?.done).toEqual(done)
})

it('is not made where the merge request cannot be read', () => {
  const decision = decideRule('{ draft: false }', '{ todo: true }', { answers: answers({ state: undefined }) })
  expect(decision.calls).toEqual([])
})
