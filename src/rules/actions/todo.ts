// todo: put it on the to-do list of Bellhop's user.
import { actionWithoutArgs, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'
import { onlyBotUser } from './definition/people.ts'

export default actionWithoutArgs({
  name: 'todo',
  doc: 'Put it on the to-do list of Bellhop’s user. An existing to-do stays as it is. Nobody can make to-dos for others: a `comment` with `@name` makes one.',
  needs: ['state'],
  args: onlyBotUser,
  on: 'issues',
  when: 'one_way',
  calls: ({ target }) => oneCall('make a to-do', callOn(target, 'todo')),
})
