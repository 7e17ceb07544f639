// Actions without arguments are called only in a state that is known and is not yet what they request.
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { answer, answers, bot, decideRule, head, outcomes, sent } from '../world.ts'

const approvedBy = (id: number) => ({
  approvals: answer({ approved_by: [{ user: { id } }], user_has_approved: id === bot.id }),
})
const waits = { merge_when_pipeline_succeeds: true }
const calls: Record<string, [string, object]> = {
  approve: ['mergeRequests.approve', { sha: head }],
  cancel_accept: ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}],
  close: ['mergeRequests.update', { state_event: 'close' }],
  rebase: ['mergeRequests.rebase', {}],
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
