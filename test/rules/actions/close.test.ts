// close: once, when it is open; a person who opens it again wins.
import { expect, it } from 'vitest'
import { overTime, whileOn } from '../over-time.ts'
import { answers, decideRule, rule, sent } from '../world.ts'

const closes = whileOn('{ close: true }')

it.each([
  ['opened', [['mergeRequests.update', { state_event: 'close' }]], 'call'],
  ['closed', [], 'nothing_to_do'],
  ['merged', [], 'nothing_to_do'],
  ['locked', [], 'nothing_to_do'],
  [undefined, [], 'blocked'],
])('one that is %s', (state, calls, result) => {
  const decision = decideRule('{ draft: false }', '{ close: true }', { answers: answers({ state }) })
  expect(sent(decision)).toEqual(calls)
  expect(decision.rules[0]?.actions[0]?.result).toBe(result)
})

it('one that a person opened again stays open, and may be approved and rebased', () => {
  const texts = [closes, rule('{ author: alice }', '{ approve: true, rebase: true }', 'others')]
  const mr = overTime({ labels: ['on'] })
  expect(mr.sends(texts)).toEqual([['mergeRequests.update', { state_event: 'close' }]])
  mr.person({ state: 'opened' })
  expect(mr.sends(texts).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.approve', 'mergeRequests.rebase'])
  expect(mr.sends(texts)).toEqual([])
})
