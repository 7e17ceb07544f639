// reopen: once for each event, when it is closed; a rule that closes goes before it.
import { happened, onEvent, overTime } from '../over-time.ts'
import { rule } from '../world.ts'

const reopens = onEvent('push', '{ reopen: true }')
const events = [happened('push')]

it.each([
  ['closed', [['mergeRequests.update', { state_event: 'reopen' }]]],
  ['opened', []],
  ['merged', []],
  ['locked', []],
])('one that is %s', (state, calls) => {
  expect(overTime({ state }).sends([reopens], { events })).toEqual(calls)
})

it('is done once for its event: a person who closes it again wins', () => {
  const mr = overTime({ state: 'closed' }).after([reopens], { events }).person({ state: 'closed' })
  expect(mr.sends([reopens], { events })).toEqual([])
  expect(mr.sends([reopens], { events: [happened('push', 'd2')] }).length).toBe(1)
})

it('gives way to a rule that closes, whichever comes first', () => {
  const closes = rule('{ author: alice }', '{ close: true }', 'closes')
  for (const texts of [
    [closes, reopens],
    [reopens, closes],
  ])
    expect(overTime({ state: 'closed' }).sends(texts, { events })).toEqual([])
})

it('opens again what a rule had closed before', () => {
  const closes = rule('{ author: alice }', '{ close: true }', 'closes')
  const mr = overTime().after([closes, reopens])
  expect(mr.sends([closes, reopens], { events })).toEqual([['mergeRequests.update', { state_event: 'reopen' }]])
  expect(mr.sends([closes, reopens], { events })).toEqual([])
})
