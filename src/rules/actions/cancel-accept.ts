// cancel_accept: cancel the waiting merge, no matter who set it, and leave the merge queue.
import { callData } from '../../api/call-data.ts'
import { forgetWait } from './definition/accept-memory.ts'
import { type ActionInput, type ActionOutcome, actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'
import { leaveQueue, rememberQueue } from './definition/queued-merge.ts'

function cancelWaiting(
  { state, merge_when_pipeline_succeeds: isWaiting }: { state: string; merge_when_pipeline_succeeds: boolean },
  mr: ActionInput['mr'],
): ActionOutcome {
  if (state !== 'opened') return nothingToDo(`it is ${state}`)
  if (!isWaiting) return nothingToDo('no merge is waiting')
  return oneCall('cancel the waiting merge', callData('mergeRequests.cancelMergeWhenPipelineSucceeds', mr))
}

export default actionWithoutArgs({
  name: 'cancel_accept',
  doc: 'Cancel a merge that waits for its pipeline, or leave the merge queue. It goes before any rule that accepts, and ends what events requested. Where an event requests it, nothing is accepted until the head moves or an event requests that.',
  needs: ['merge_when_pipeline_succeeds', 'state'],
  restrains: { actions: ['accept'], also: 'while_head_stays' },
  limited: 'never',
  effects: () => [{ fact: 'merge_when_pipeline_succeeds', value: false }],
  calls(input) {
    const { facts, mr } = input
    const waiting = cancelWaiting(facts, mr)
    const leaving = leaveQueue(input)
    if (leaving === undefined) return waiting
    if (waiting.result !== 'call') return { result: 'call', detail: leaving.detail, calls: [leaving.call] }
    const detail = `${leaving.detail} and ${waiting.detail}`
    return { result: 'call', detail, calls: [leaving.call, ...waiting.calls] }
  },
  remember(memory, call, certain) {
    if (call.to === 'queue') return rememberQueue(memory, call, certain)
    return certain ? forgetWait(memory) : memory
  },
})
