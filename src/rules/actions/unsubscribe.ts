// unsubscribe: remove Bellhop's user from the subscribers (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'

export default actionWithoutArgs({
  name: 'unsubscribe',
  doc: 'Unsubscribe Bellhop’s user. Where an event requests it, rules that match then do not subscribe again while they match.',
  needs: ['subscribed'],
  oneWay: true,
  effects: () => [{ fact: 'subscribed', value: false }],
  restrains: ['subscribe'],
  restrainsWhenDone: true,
  calls: ({ facts, mr }) =>
    facts.subscribed
      ? oneCall('unsubscribe', callData('mergeRequests.unsubscribe', mr))
      : nothingToDo('not subscribed'),
})
