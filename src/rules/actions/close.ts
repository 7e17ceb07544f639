// close: close the merge request without merging it, or the issue.
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'

export default actionWithoutArgs({
  name: 'close',
  doc: 'Close it without merging. It goes before any rule that accepts, approves or reopens. If a person reopens it, it stays open while the rule matches.',
  needs: ['state'],
  on: 'issues',
  when: 'one_way',
  limited: 'new_rules',
  restrains: { actions: ['accept', 'approve', 'reopen', 'rebase'] },
  effects: () => [{ fact: 'state', value: 'closed' }],
  calls: ({ facts: { state }, target }) =>
    state === 'opened'
      ? oneCall('close it', callOn(target, 'update', { state_event: 'close' }))
      : nothingToDo(`it is ${state}`),
})
