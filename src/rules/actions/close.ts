// close: close the merge request without merging it (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'close',
  doc: 'Close it without merging. It goes before any rule that accepts, approves or reopens; one that a person reopens stays open while the rule stays true.',
  example: 'close: true',
  args: onlyTrue,
  needs: ['state'],
  oneWay: true,
  limitedWhenNew: true,
  restrains: ['accept', 'approve', 'reopen', 'rebase'],
  endsRequests: true,
  effects: () => [{ fact: 'state', value: 'closed' }],
  calls({ facts, mr }) {
    if (facts.state !== 'opened') return { result: 'nothing_to_do', detail: `it is ${facts.state}` }
    return {
      result: 'call',
      detail: 'close it',
      calls: [{ call: callData('mergeRequests.update', { ...mr, state_event: 'close' }) }],
    }
  },
})
