// unsubscribe: once, where Bellhop is subscribed; it goes before subscribe.
import { expect, it } from 'vitest'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import { answers, decideRule, rule, sent } from '../world.ts'

it.each([
  [true, [['mergeRequests.unsubscribe', {}]], 'call'],
  [false, [], 'nothing_to_do'],
  [null, [], 'blocked'],
])('where subscribed is %j', (subscribed, calls, result) => {
  const decision = decideRule('{ state: opened }', '{ unsubscribe: true }', { answers: answers({ subscribed }) })
  expect(sent(decision)).toEqual(calls)
  expect(decision.rules[0]?.actions[0]?.result).toBe(result)
})

it('lets a rule subscribe again once its own no longer matches', () => {
  const texts = [whileOn('{ unsubscribe: true }'), rule('{ author: alice }', '{ subscribe: true }', 'subscribes')]
  const mr = overTime({ labels: ['on'], subscribed: true })
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[['mergeRequests.unsubscribe', {}]], []])
  mr.person({ labels: [] })
  expect(mr.sends(texts)).toEqual([['mergeRequests.subscribe', {}]])
})

it('from an event keeps rules that hold from subscribing again, until they hold anew', () => {
  const texts = [onEvent('push', '{ unsubscribe: true }'), whileOn('{ subscribe: true }', 'subscribes')]
  const events = [happened('push')]
  const mr = overTime({ subscribed: true, labels: ['on'] })
  expect([mr.sends(texts, { events }), mr.sends(texts, { events }), mr.sends(texts)]).toEqual([
    [['mergeRequests.unsubscribe', {}]],
    [],
    [],
  ])
  mr.person({ labels: [] })
  expect(mr.sends(texts)).toEqual([])
  mr.person({ labels: ['on'] })
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[['mergeRequests.subscribe', {}]], []])
})
