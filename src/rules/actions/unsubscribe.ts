// unsubscribe: remove Bellhop's user from the subscribers.
import { actionWithoutArgs, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'

export default actionWithoutArgs({
  name: 'unsubscribe',
  doc: 'Unsubscribe Bellhop’s user. Where an event requests it, rules that match then do not subscribe again while they match.',
  needs: ['subscribed'],
  on: 'issues',
  when: 'one_way',
  effects: () => [{ fact: 'subscribed', value: false }],
  restrains: { actions: ['subscribe'], also: 'after_it_was_done' },
  calls: ({ facts, target }) =>
    facts.subscribed ? oneCall('unsubscribe', callOn(target, 'unsubscribe')) : nothingToDo('not subscribed'),
})
