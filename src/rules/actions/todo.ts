// todo: put the merge request on the to-do list of Bellhop's user (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, oneCall } from './definition/action.ts'

export default actionWithoutArgs({
  name: 'todo',
  doc: 'Put it on the to-do list of Bellhop’s user. An existing to-do stays as it is.',
  needs: ['state'],
  oneWay: true,
  calls: ({ mr }) => oneCall('make a to-do', callData('mergeRequests.todo', mr)),
})
