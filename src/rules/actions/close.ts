// close: close the merge request without merging it (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'

export default actionWithoutArgs({
  name: 'close',
  doc: 'Close it without merging. It goes before any rule that accepts, approves or reopens. If a person reopens it, it stays open while the rule matches.',
  needs: ['state'],
  oneWay: true,
  limitedWhenNew: true,
  restrains: ['accept', 'approve', 'reopen', 'rebase'],
  endsRequests: true,
  effects: () => [{ fact: 'state', value: 'closed' }],
  calls: ({ facts: { state }, mr }) =>
    state === 'opened'
      ? oneCall('close it', callData('mergeRequests.update', { ...mr, state_event: 'close' }))
      : nothingToDo(`it is ${state}`),
})
