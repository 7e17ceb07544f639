// reopen: open a closed merge request again (DESIGN §4). Only for events: a state rule would undo every close.
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'reopen',
  doc: 'Open it again when it is closed, once for each event.',
  example: 'reopen: true',
  args: onlyTrue,
  needs: ['state'],
  onlyOnEvents: true,
  effects: () => [{ fact: 'state', value: 'opened' }],
  calls({ facts, mr }) {
    if (facts.state !== 'closed') return { result: 'nothing_to_do', detail: `it is ${facts.state}` }
    return {
      result: 'call',
      detail: 'reopen it',
      calls: [{ call: callData('mergeRequests.update', { ...mr, state_event: 'reopen' }) }],
    }
  },
})
