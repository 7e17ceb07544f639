// spend: add to the time spent (DESIGN §4). There is no state to compare with: only for events, once for each.
import { callData } from '../../api/call-data.ts'
import { formatHours, parseDuration, positiveDurationSchema } from '../language/values/durations.ts'
import { shape } from '../language/values/shapes.ts'
import type { Call } from '../types.ts'
import { action } from './definition/action.ts'

function positive(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? parseDuration(value, 'working') : undefined
  return seconds === 0 ? undefined : seconds
}
const duration = shape('a duration such as 15m or 3h30m', positive, positiveDurationSchema)

export default action({
  name: 'spend',
  doc: 'Add to the time spent, once for each event. A day has eight hours.',
  example: 'spend: 15m',
  args: duration,
  needs: ['time_spent'],
  onlyOnEvents: true,
  perRule: 'each',
  effects: (seconds, given) =>
    given === undefined ? [] : [{ fact: 'time_spent', value: given.facts.time_spent + seconds }],
  calls({ args, mr, facts }) {
    const text = formatHours(args)
    return {
      result: 'call',
      detail: `add ${text} to the time spent`,
      calls: [{ call: callData('mergeRequests.addSpentTime', { ...mr, duration: text }), before: facts.time_spent }],
    }
  },
  reconcile: {
    needs: () => ['time_spent'],
    outcome({ before, params }, { fact, earlier }) {
      const spent = (call: Pick<Call, 'endpoint' | 'params'>) =>
        call.endpoint === 'mergeRequests.addSpentTime' ? (positive(call.params.duration) ?? 0) : 0
      const start = Number(before) + earlier.reduce((sum, call) => sum + spent(call), 0)
      if (fact('time_spent') === start + (positive(params.duration) ?? 0)) return 'done'
      // Somebody else added time too: the sum does not prove this call.
      return fact('time_spent') === start ? 'not_done' : 'unknown'
    },
  },
})
