// unapprove: take Bellhop's own approval back (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { approvalEffects } from './approve.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'unapprove',
  doc: 'Take Bellhop’s own approval back. It goes before any rule that approves; where an event asks for it, until the head moves or an event asks to approve.',
  example: 'unapprove: true',
  args: onlyTrue,
  needs: ['approved_by_bot', 'state'],
  restrains: ['approve'],
  restrainsHead: true,
  endsRequests: true,
  withdraws: true,
  effects: (_args, given) => approvalEffects(false, given?.bot),
  calls({ facts, mr }) {
    if (facts.state !== 'opened') return { result: 'nothing_to_do', detail: `it is ${facts.state}` }
    if (!facts.approved_by_bot) return { result: 'nothing_to_do', detail: 'it is not approved by Bellhop' }
    return {
      result: 'call',
      detail: 'take the approval back',
      calls: [{ call: callData('mergeRequests.unapprove', mr) }],
    }
  },
  remember: ({ approvedSha, ...memory }, _call, certain) =>
    certain || approvedSha === undefined ? memory : { ...memory, approvedSha },
})
