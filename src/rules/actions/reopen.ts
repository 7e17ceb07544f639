// reopen: open a closed merge request again (DESIGN §4). Only for events: a state rule would undo every close.
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'

export default actionWithoutArgs({
  name: 'reopen',
  doc: 'Open it again when it is closed, once for each event.',
  needs: ['state'],
  onlyOnEvents: true,
  effects: () => [{ fact: 'state', value: 'opened' }],
  calls: ({ facts: { state }, mr }) =>
    state === 'closed'
      ? oneCall('reopen it', callData('mergeRequests.update', { ...mr, state_event: 'reopen' }))
      : nothingToDo(`it is ${state}`),
})
