// unapprove: takes back Bellhop's own approval alone, and goes before approve.
import { overTime, whileOn } from '../over-time.ts'
import { head, rule } from '../world.ts'

it('unapprove lets another rule approve once its own no longer matches', () => {
  const texts = [rule('{ author: alice }', '{ approve: true }', 'approves'), whileOn('{ unapprove: true }')]
  const mr = overTime({ labels: ['on'] })
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[], []])
  mr.person({ labels: [] })
  expect(mr.sends(texts)).toEqual([['mergeRequests.approve', { sha: head }]])
  mr.person({ labels: ['on'] })
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[['mergeRequests.unapprove', {}]], []])
})
