// close: once, when it is open; a person who opens it again wins.
import { overTime, whileOn } from '../over-time.ts'
import { rule } from '../world.ts'

const closes = whileOn('{ close: true }')

it('one that a person opened again stays open, and may be approved and rebased', () => {
  const texts = [closes, rule('{ author: alice }', '{ approve: true, rebase: true }', 'others')]
  const mr = overTime({ labels: ['on'] })
  expect(mr.sends(texts)).toEqual([['mergeRequests.update', { state_event: 'close' }]])
  mr.person({ state: 'opened' })
  expect(mr.sends(texts).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.approve', 'mergeRequests.rebase'])
  expect(mr.sends(texts)).toEqual([])
})
