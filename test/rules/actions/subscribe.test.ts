// subscribe: once, where Bellhop is not subscribed.
import { answers, decideRule, sent } from '../world.ts'

it.each([
  [false, [['mergeRequests.subscribe', {}]], 'call'],
  [true, [], 'nothing_to_do'],
  [null, [], 'blocked'],
])('subscribe where subscribed is %j', (subscribed, calls, result) => {
  const decision = decideRule('{ state: opened }', '{ subscribe: true }', { answers: answers({ subscribed }) })
  expect(sent(decision)).toEqual(calls)
  expect(decision.rules[0]?.actions[0]?.result).toBe(result)
})
