// The effects of a call as overrides of facts, so that observing rules can follow one another (DESIGN §4, Modes).
import { facts } from '../facts/index.ts'
import type { Json } from '../language/values/rule-types.ts'
import type { Call, Override } from '../types.ts'

const so = (fact: string, value: Json): Override => ({
  fact,
  is: { is: 'known', value, complete: true, note: 'overridden' },
})
const listed = (value: unknown) => (typeof value === 'string' && value !== '' ? value.split(',') : [])

/** Each changed field that is a fact of the same name. */
function updated({ add_labels, remove_labels, state_event, ...fields }: Call['params']): Override[] {
  return [
    ...(add_labels === undefined ? [] : [{ fact: 'labels', add: listed(add_labels) }]),
    ...(remove_labels === undefined ? [] : [{ fact: 'labels', remove: listed(remove_labels) }]),
    ...(state_event === undefined ? [] : [so('state', state_event === 'close' ? 'closed' : 'opened')]),
    ...Object.entries(fields).flatMap(([name, value]) => (Object.hasOwn(facts, name) ? [so(name, value as Json)] : [])),
  ]
}

/** The overrides after the call. One-way actions are also in memory. */
export function callEffects(
  { endpoint, params }: Pick<Call, 'endpoint' | 'params'>,
  bot: { username: string },
): Override[] {
  switch (endpoint) {
    case 'mergeRequests.update':
      return updated(params)
    case 'mergeRequests.approve':
      return [so('approved_by_bot', true), { fact: 'approved_by', add: [bot.username] }]
    case 'mergeRequests.unapprove':
      return [so('approved_by_bot', false), { fact: 'approved_by', remove: [bot.username] }]
    case 'mergeRequests.accept':
      return [
        params.merge_when_pipeline_succeeds === true ? so('merge_when_pipeline_succeeds', true) : so('state', 'merged'),
      ]
    case 'mergeRequests.cancelMergeWhenPipelineSucceeds':
      return [so('merge_when_pipeline_succeeds', false)]
    case 'mergeRequests.subscribe':
      return [so('subscribed', true)]
    case 'mergeRequests.unsubscribe':
      return [so('subscribed', false)]
    default:
      return []
  }
}
