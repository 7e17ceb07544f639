// cancel_accept: no rule requests the merge any more (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'cancel_accept',
  doc: 'Cancel a merge that waits for its pipeline. It goes before any rule that accepts, and ends what events asked for; where an event asks for it, nothing is accepted until the head moves or an event asks for that.',
  example: 'cancel_accept: true',
  args: onlyTrue,
  needs: ['merge_when_pipeline_succeeds', 'state'],
  restrains: ['accept'],
  restrainsHead: true,
  endsRequests: true,
  withdraws: true,
  effects: () => [{ fact: 'merge_when_pipeline_succeeds', value: false }],
  calls({ facts, mr }) {
    if (facts.state !== 'opened') return { result: 'nothing_to_do', detail: `it is ${facts.state}` }
    if (!facts.merge_when_pipeline_succeeds) return { result: 'nothing_to_do', detail: 'no merge is waiting' }
    const call = callData('mergeRequests.cancelMergeWhenPipelineSucceeds', mr)
    return { result: 'call', detail: 'cancel the merge that waits', calls: [{ call }] }
  },
  remember: ({ waitingSha, ...memory }, _call, certain) =>
    certain || waitingSha === undefined ? memory : { ...memory, waitingSha },
})
