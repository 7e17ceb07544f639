// Actions without arguments: called only in a state that is known and is not yet what they request; a person wins.
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import { answer, answers, bot, decideRule, head, outcomes, rememberAs, rule, sent } from '../world.ts'

const approvedBy = (id: number) => ({
  approvals: answer({ approved_by: [{ user: { id } }], user_has_approved: id === bot.id }),
})
const waits = { merge_when_pipeline_succeeds: true }
const calls: Record<string, [string, object]> = {
  approve: ['mergeRequests.approve', { sha: head }],
  cancel_accept: ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}],
  close: ['mergeRequests.update', { state_event: 'close' }],
  rebase: ['mergeRequests.rebase', {}],
  subscribe: ['mergeRequests.subscribe', {}],
  todo: ['mergeRequests.todo', {}],
  unapprove: ['mergeRequests.unapprove', {}],
  unsubscribe: ['mergeRequests.unsubscribe', {}],
}

it.each<[string, object, 'call' | 'nothing_to_do' | 'blocked', SourceAnswers?]>([
  ['approve', {}, 'call'],
  ['approve', { state: 'merged' }, 'nothing_to_do'],
  ['approve', { state: 'closed' }, 'blocked'],
  ['approve', { sha: null }, 'blocked'],
  ['cancel_accept', waits, 'call'],
  ['cancel_accept', {}, 'nothing_to_do'],
  ['cancel_accept', { ...waits, state: 'merged' }, 'nothing_to_do'],
  ['cancel_accept', { ...waits, state: 'closed' }, 'nothing_to_do'],
  ['close', { state: 'opened' }, 'call'],
  ['close', { state: 'closed' }, 'nothing_to_do'],
  ['close', { state: 'merged' }, 'nothing_to_do'],
  ['close', { state: 'locked' }, 'nothing_to_do'],
  ['close', { state: undefined }, 'blocked'],
  ['rebase', { state: 'opened' }, 'call'],
  ['rebase', { state: 'closed' }, 'nothing_to_do'],
  ['rebase', { state: 'merged' }, 'nothing_to_do'],
  ['rebase', { state: undefined }, 'blocked'],
  ['subscribe', { subscribed: false }, 'call'],
  ['subscribe', { subscribed: true }, 'nothing_to_do'],
  ['subscribe', { subscribed: null }, 'blocked'],
  ['todo', {}, 'call'],
  ['todo', { state: undefined }, 'blocked'],
  ['unapprove', {}, 'call', approvedBy(bot.id)],
  ['unapprove', {}, 'nothing_to_do', { approvals: answer({ approved_by: [], user_has_approved: false }) }],
  ['unapprove', {}, 'nothing_to_do', approvedBy(2)],
  ['unapprove', { state: 'merged' }, 'nothing_to_do', approvedBy(bot.id)],
  ['unapprove', { state: 'closed' }, 'nothing_to_do', approvedBy(bot.id)],
  ['unsubscribe', { subscribed: true }, 'call'],
  ['unsubscribe', { subscribed: false }, 'nothing_to_do'],
  ['unsubscribe', { subscribed: null }, 'blocked'],
])('%s with %j: %s', (action, fields, result, other) => {
  const decision = decideRule('{ author: alice }', `{ ${action}: true }`, { answers: answers({ ...fields }, other) })
  expect(sent(decision)).toEqual(result === 'call' ? [calls[action]] : [])
  expect(outcomes(decision)).toEqual([expect.stringMatching(`^${result}: `)])
})

it('close: one that a person opened again stays open, and may be approved and rebased', () => {
  const texts = [whileOn('{ close: true }'), rule('{ author: alice }', '{ approve: true, rebase: true }', 'others')]
  const mr = overTime({ labels: ['on'] })
  expect(mr.sends(texts)).toEqual([['mergeRequests.update', { state_event: 'close' }]])
  mr.person({ state: 'opened' })
  expect(mr.sends(texts).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.approve', 'mergeRequests.rebase'])
  expect(mr.sends(texts)).toEqual([])
})

it.each([
  ['already', ['todo']],
  ['refused', []],
] as const)('a to-do that the service answers with %s is remembered so', (result, done) => {
  const decision = decideRule('{ draft: false }', '{ todo: true }')
  expect(Object.values(rememberAs(result, decision).rules)[0]?.done).toEqual(done)
})

it('unapprove lets another rule approve once its own no longer matches', () => {
  const texts = [rule('{ author: alice }', '{ approve: true }', 'approves'), whileOn('{ unapprove: true }')]
  const mr = overTime({ labels: ['on'] })
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[], []])
  mr.person({ labels: [] })
  expect(mr.sends(texts)).toEqual([['mergeRequests.approve', { sha: head }]])
  mr.person({ labels: ['on'] })
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[['mergeRequests.unapprove', {}]], []])
})

it('unsubscribe lets a rule subscribe again once its own no longer matches', () => {
  const texts = [whileOn('{ unsubscribe: true }'), rule('{ author: alice }', '{ subscribe: true }', 'subscribes')]
  const mr = overTime({ labels: ['on'], subscribed: true })
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[['mergeRequests.unsubscribe', {}]], []])
  mr.person({ labels: [] })
  expect(mr.sends(texts)).toEqual([['mergeRequests.subscribe', {}]])
})

it('unsubscribe from an event keeps rules that hold from subscribing again, until they hold anew', () => {
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
