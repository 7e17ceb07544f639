// todo: put the merge request on the to-do list of Bellhop's user (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'todo',
  doc: 'Put it on the to-do list of Bellhop’s user. One that is there already stays as it is.',
  example: 'todo: true',
  args: onlyTrue,
  needs: ['state'],
  oneWay: true,
  calls: ({ mr }) => ({
    result: 'call',
    detail: 'make a to-do',
    calls: [{ call: callData('mergeRequests.todo', mr) }],
  }),
})
