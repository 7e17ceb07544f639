// spend: add to the time spent. There is no state to compare with: only for events, once for each.
import { formatHours } from '../language/values/durations.ts'
import type { Call } from '../types.ts'
import { action, oneCall } from './definition/action.ts'
import { callOn, isCallOn } from './definition/action-calls.ts'
import { duration, fillDuration, secondsOf } from './estimate.ts'

export default action({
  name: 'spend',
  doc: 'Add to the time spent, once for each event. A day has eight hours.',
  synonyms: ['time_spent'],
  example: 'spend: 15m',
  args: duration,
  needs: ['time_spent'],
  template: { fillArgs: fillDuration },
  on: 'issues',
  when: 'on_events',
  per: 'rule',
  effects: (seconds, given) =>
    given === undefined ? [] : [{ fact: 'time_spent', value: given.facts.time_spent + Number(seconds) }],
  calls({ args, target, facts }) {
    const text = formatHours(Number(args))
    const call = callOn(target, 'addSpentTime', { duration: text })
    return oneCall(`add ${text} to the time spent`, call, { before: facts.time_spent })
  },
  reconcile({ before, params }, { fact, earlier }) {
    const spent = (call: Pick<Call, 'endpoint' | 'params'>) =>
      isCallOn(call, 'addSpentTime') ? (secondsOf(call.params.duration) ?? 0) : 0
    const start = Number(before) + earlier.reduce((sum, call) => sum + spent(call), 0)
    if (fact('time_spent') === start + (secondsOf(params.duration) ?? 0)) return 'done'
    // Somebody else added time too: the sum proves nothing.
    return fact('time_spent') === start ? 'not_done' : 'unknown'
  },
})
