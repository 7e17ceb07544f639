// rebase: put the source branch on top of the target (DESIGN §4; hosting-service.md §3.3).
import { callData } from '../../api/call-data.ts'
import { onlyTrue } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

export default action({
  name: 'rebase',
  doc: 'Rebase the source branch onto the target, in the background of the service; once for as long as the rule stays true.',
  example: 'rebase: true',
  args: onlyTrue,
  needs: ['state', 'head'],
  oneWay: true,
  calls({ facts, mr }) {
    if (facts.state !== 'opened') return { result: 'nothing_to_do', detail: `it is ${facts.state}` }
    return {
      result: 'call',
      detail: 'rebase',
      calls: [{ call: callData('mergeRequests.rebase', mr), before: facts.head }],
    }
  },
  reconcile: {
    needs: () => ['head'],
    outcome: ({ before }, { fact }) => (fact('head') === before ? 'not_done' : 'done'),
  },
})
