// approve: Bellhop's own approval, kept exactly as long as some rule asks for it for the present head (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { type ActionOutcome, action, type FactEffect, type UnmetConditions } from './definition/action.ts'

function blocked({ value }: UnmetConditions): ActionOutcome {
  const state = value('state')
  if (state === 'merged' || state === 'locked') return { result: 'nothing_to_do', detail: 'it is merged' }
  return { result: 'blocked', detail: 'only an open merge request is approved' }
}

/** The bot user approves, or takes its approval back. */
export function approvalEffects(isApproved: boolean, bot?: { username: string }): FactEffect[] {
  const names = bot === undefined ? [] : [bot.username]
  const approvers = isApproved ? { add: names } : { remove: names }
  return [
    { fact: 'approved_by_bot', value: isApproved },
    { fact: 'approved_by', ...approvers },
  ]
}

export default action({
  name: 'approve',
  doc: 'Approve the evaluated head. The approval is withdrawn when no rule requests it any more.',
  example: 'approve: true',
  args: onlyTrue,
  needs: ['head', 'approved_by_bot', 'state'],
  standing: 'while the head stays',
  effects: (_args, given) => approvalEffects(true, given?.bot),
  policy: 'merge',
  limitedWhenNew: true,
  requires: () => [{ fact: 'state', operator: 'equals', expected: 'opened' }],
  blocked,
  calls({ facts, mr }) {
    // An approval that outlived a push stands for the new head as well: a service that wants it anew takes it away at the push, and answers 401 to a second one.
    if (facts.approved_by_bot) return { result: 'nothing_to_do', detail: 'approved already' }
    const call = callData('mergeRequests.approve', { ...mr, sha: facts.head })
    return { result: 'call', detail: `approve ${facts.head.slice(0, 8)}`, calls: [{ call }] }
  },
  withdraw: {
    isInEffect: (memory) => memory.approvedSha !== undefined,
    needs: ['approved_by_bot', 'state'],
    calls({ fact, mr, bot }) {
      const state = fact('state')
      if (state !== undefined && state !== 'opened') return { result: 'nothing_to_do', detail: `it is ${state}` }
      if (fact('approved_by_bot') === false) return { result: 'nothing_to_do', detail: 'the approval is gone already' }
      const call = callData('mergeRequests.unapprove', mr)
      const effects = approvalEffects(false, bot)
      const detail = 'withdraw the approval: no rule requests it for this head'
      return { result: 'call', detail, calls: [{ call, effects }] }
    },
  },
  // Fails closed: an approval that may be there is remembered as ours, so that it can be taken back.
  remember({ approvedSha, ...memory }, call, certain) {
    if (call.endpoint !== 'mergeRequests.approve')
      return certain || approvedSha === undefined ? memory : { ...memory, approvedSha }
    const sha = typeof call.params.sha === 'string' ? call.params.sha : approvedSha
    return sha === undefined ? memory : { ...memory, approvedSha: sha }
  },
})
