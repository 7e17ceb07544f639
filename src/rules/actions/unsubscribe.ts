// unsubscribe: take Bellhop's user off the subscribers (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'unsubscribe',
  doc: 'Unsubscribe Bellhop’s user. Where an event asks for it, rules that hold then do not subscribe again while they stay true.',
  example: 'unsubscribe: true',
  args: onlyTrue,
  needs: ['subscribed'],
  oneWay: true,
  effects: () => [{ fact: 'subscribed', value: false }],
  restrains: ['subscribe'],
  restrainsWhenDone: true,
  calls({ facts, mr }) {
    if (!facts.subscribed) return { result: 'nothing_to_do', detail: 'not subscribed' }
    return { result: 'call', detail: 'unsubscribe', calls: [{ call: callData('mergeRequests.unsubscribe', mr) }] }
  },
})
