// cancel_accept: cancel the waiting merge, no matter who set it (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'
import { forgetWait } from './definition/waiting-merge.ts'

export default actionWithoutArgs({
  name: 'cancel_accept',
  doc: 'Cancel a merge that waits for its pipeline. It goes before any rule that accepts, and ends what events requested. Where an event requests it, nothing is accepted until the head moves or an event requests that.',
  needs: ['merge_when_pipeline_succeeds', 'state'],
  restrains: ['accept'],
  restrainsHead: true,
  endsRequests: true,
  withdraws: true,
  effects: () => [{ fact: 'merge_when_pipeline_succeeds', value: false }],
  calls({ facts, mr }) {
    if (facts.state !== 'opened') return nothingToDo(`it is ${facts.state}`)
    if (!facts.merge_when_pipeline_succeeds) return nothingToDo('no merge is waiting')
    return oneCall('cancel the waiting merge', callData('mergeRequests.cancelMergeWhenPipelineSucceeds', mr))
  },
  remember: (memory, _call, certain) => (certain ? forgetWait(memory) : memory),
})
