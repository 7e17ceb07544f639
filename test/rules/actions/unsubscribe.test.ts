// unsubscribe: once, where Bellhop is subscribed; it goes before subscribe.
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import { rule } from '../world.ts'

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
