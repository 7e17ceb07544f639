// todo: put the merge request on the to-do list of Bellhop's user (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, oneCall } from './definition/action.ts'
import { onlyBotUser } from './definition/people.ts'

export default actionWithoutArgs({
  name: 'todo',
  doc: 'Put it on the to-do list of Bellhop’s user. An existing to-do stays as it is. Nobody can make to-dos for others: a `comment` with `@name` makes one.',
  needs: ['state'],
  args: onlyBotUser,
  oneWay: true,
  calls: ({ mr }) => oneCall('make a to-do', callData('mergeRequests.todo', mr)),
})
