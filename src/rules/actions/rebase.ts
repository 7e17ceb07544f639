// rebase: put the source branch on top of the target (DESIGN §4; hosting-service.md §3.3).
import { callData } from '../../api/call-data.ts'
import { actionWithoutArgs, nothingToDo } from './definition/action.ts'

export default actionWithoutArgs({
  name: 'rebase',
  doc: 'Rebase the source branch onto the target, once while the rule matches. The service does it in the background.',
  needs: ['state', 'head'],
  oneWay: true,
  calls({ facts: { state, head }, mr }) {
    if (state !== 'opened') return nothingToDo(`it is ${state}`)
    return { result: 'call', detail: 'rebase', calls: [{ call: callData('mergeRequests.rebase', mr), before: head }] }
  },
  reconcile: {
    needs: () => ['head'],
    outcome: ({ before }, { fact }) => (fact('head') === before ? 'not_done' : 'done'),
  },
})
