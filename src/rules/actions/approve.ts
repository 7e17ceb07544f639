// approve: Bellhop's own approval of the evaluated head, withdrawn when no rule requests it.
import { callData } from '../../api/call-data.ts'
import {
  actionMemory,
  actionWithoutArgs,
  blockedBy,
  type FactEffect,
  nothingToDo,
  oneCall,
} from './definition/action.ts'

/** The head that Bellhop approved, as long as the approval is in effect. */
export const approvedHead = actionMemory<string>('approve')

/** The effects when the bot user approves or withdraws its approval. */
export function approvalEffects(isApproved: boolean, bot?: { username: string }): FactEffect[] {
  const names = bot === undefined ? [] : [bot.username]
  const approvers = isApproved ? { add: names } : { remove: names }
  return [
    { fact: 'approved_by_bot', value: isApproved },
    { fact: 'approved_by_service', ...approvers },
  ]
}

export default actionWithoutArgs({
  name: 'approve',
  synonyms: ['approval', 'approvals'],
  doc: 'Approve the evaluated head. The approval is withdrawn when no rule requests it any more.',
  needs: ['head', 'approved_by_bot', 'state'],
  when: 'while_head_stays',
  effects: (_args, given) => approvalEffects(true, given?.bot),
  limited: 'merge',
  requires: () => [{ fact: 'state', operator: 'equals', expected: 'opened' }],
  blocked: ({ value }) =>
    ['merged', 'locked'].includes(String(value('state')))
      ? nothingToDo('it is merged')
      : blockedBy('only an open merge request is approved'),
  calls({ facts, mr }) {
    // An approval that outlives a push counts for the new head too: the service answers 401 to a second one.
    if (facts.approved_by_bot) return nothingToDo('approved already')
    return oneCall(`approve ${facts.head.slice(0, 8)}`, callData('mergeRequests.approve', { ...mr, sha: facts.head }))
  },
  // When it runs: `planWithdrawal` in engine/plan-action.ts; events' requests: engine/memory/standing-requests.ts.
  withdraw: {
    isInEffect: (memory) => approvedHead.of(memory) !== undefined,
    needs: ['approved_by_bot', 'state'],
    calls({ fact, mr, bot }) {
      const state = fact('state')
      if (state !== undefined && state !== 'opened') return nothingToDo(`it is ${state}`)
      if (fact('approved_by_bot') === false) return nothingToDo('the approval is gone already')
      const call = callData('mergeRequests.unapprove', mr)
      const effects = approvalEffects(false, bot)
      return oneCall('withdraw the approval: no rule requests it for this head', call, { effects })
    },
  },
  // Fails closed: an approval that may be there is remembered as ours, so that it can be withdrawn.
  remember(memory, { endpoint, params: { sha } }, certain) {
    if (endpoint !== 'mergeRequests.approve') return certain ? approvedHead.put(memory, undefined) : memory
    return typeof sha === 'string' ? approvedHead.put(memory, sha) : memory
  },
})
