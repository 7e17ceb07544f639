// reopen: open it again when it is closed. Only for events: a state rule would undo every close.
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'

export default actionWithoutArgs({
  name: 'reopen',
  doc: 'Open it again when it is closed, once for each event.',
  needs: ['state'],
  on: 'issues',
  when: 'on_events',
  effects: () => [{ fact: 'state', value: 'opened' }],
  calls: ({ facts: { state }, target }) =>
    state === 'closed'
      ? oneCall('reopen it', callOn(target, 'update', { state_event: 'reopen' }))
      : nothingToDo(`it is ${state}`),
})
