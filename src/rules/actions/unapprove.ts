// unapprove: withdraw Bellhop's own approval.
import { callData } from '../../api/call-data.ts'
import { approvalEffects, approvedHead } from './approve.ts'
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'

export default actionWithoutArgs({
  name: 'unapprove',
  doc: 'Withdraw Bellhop’s own approval. It goes before any rule that approves. Where an event requests it, that lasts until the head moves or an event requests to approve.',
  needs: ['approved_by_bot', 'state'],
  restrains: { actions: ['approve'], also: 'while_head_stays' },
  limited: 'never',
  effects: (_args, given) => approvalEffects(false, given?.bot),
  calls({ facts, mr }) {
    if (facts.state !== 'opened') return nothingToDo(`it is ${facts.state}`)
    if (!facts.approved_by_bot) return nothingToDo('it is not approved by Bellhop')
    return oneCall('withdraw the approval', callData('mergeRequests.unapprove', mr))
  },
  remember: (memory, _call, certain) => (certain ? approvedHead.put(memory, undefined) : memory),
})
