// subscribe: subscribe Bellhop's user to the merge request or issue.
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'
import { onlyBotUser } from './definition/people.ts'

export default actionWithoutArgs({
  name: 'subscribe',
  doc: 'Subscribe Bellhop’s user. Nobody can subscribe others: tell them by a `comment` with `@name`.',
  needs: ['subscribed'],
  args: onlyBotUser,
  on: 'issues',
  when: 'one_way',
  effects: () => [{ fact: 'subscribed', value: true }],
  calls: ({ facts, target }) =>
    facts.subscribed ? nothingToDo('subscribed already') : oneCall('subscribe', callOn(target, 'subscribe')),
})
