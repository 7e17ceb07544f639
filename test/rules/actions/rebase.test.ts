// rebase: once while the rule matches, when it is open; not when it is to be closed.
import { expect, it } from 'vitest'
import { overTime, whileOn } from '../over-time.ts'
import { answers, decideRule, sent } from '../world.ts'

it.each([
  ['opened', [['mergeRequests.rebase', {}]], 'call'],
  ['closed', [], 'nothing_to_do'],
  ['merged', [], 'nothing_to_do'],
  [undefined, [], 'blocked'],
])('one that is %s', (state, calls, result) => {
  const decision = decideRule('{ draft: false }', '{ rebase: true }', { answers: answers({ state }) })
  expect(sent(decision)).toEqual(calls)
  expect(decision.rules[0]?.actions[0]?.result).toBe(result)
})

it('is not repeated for the head that it made, and is when the rule becomes true again', () => {
  const rebases = whileOn('{ rebase: true }')
  const mr = overTime({ labels: ['on'] })
  mr.turn([rebases])
  mr.person({ sha: 'b'.repeat(40) })
  expect(mr.sends([rebases])).toEqual([])
  mr.person({ labels: [] })
  mr.turn([rebases])
  mr.person({ labels: ['on'] })
  expect(mr.sends([rebases])).toEqual([['mergeRequests.rebase', {}]])
})
