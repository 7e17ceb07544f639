// subscribe: subscribe Bellhop's user to the merge request (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'subscribe',
  doc: 'Subscribe Bellhop’s user.',
  example: 'subscribe: true',
  args: onlyTrue,
  needs: ['subscribed'],
  oneWay: true,
  effects: () => [{ fact: 'subscribed', value: true }],
  calls({ facts, mr }) {
    if (facts.subscribed) return { result: 'nothing_to_do', detail: 'subscribed already' }
    return { result: 'call', detail: 'subscribe', calls: [{ call: callData('mergeRequests.subscribe', mr) }] }
  },
})
