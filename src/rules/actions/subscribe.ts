// subscribe: subscribe Bellhop's user to the merge request (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'
import { onlyBotUser } from './definition/people.ts'

export default actionWithoutArgs({
  name: 'subscribe',
  doc: 'Subscribe Bellhop’s user. Nobody can subscribe others: tell them by a `comment` with `@name`.',
  needs: ['subscribed'],
  args: onlyBotUser,
  oneWay: true,
  effects: () => [{ fact: 'subscribed', value: true }],
  calls: ({ facts, mr }) =>
    facts.subscribed
      ? nothingToDo('subscribed already')
      : oneCall('subscribe', callData('mergeRequests.subscribe', mr)),
})
