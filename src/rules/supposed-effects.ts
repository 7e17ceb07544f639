// What a call would change, as far as rules can see it: laid over the facts, so that observing rules can follow one another (DESIGN §4, Modes).
import { facts } from './facts/index.ts'
import type { Call, Json, Supposition } from './types.ts'

const so = (fact: string, value: Json): Supposition => ({ fact, is: { is: 'known', value, complete: true, note: 'supposed' } })
const listed = (value: unknown) => (typeof value === 'string' && value !== '' ? value.split(',') : [])

/** Each changed field that is a fact of the same name. */
function updated({ add_labels, remove_labels, state_event, ...fields }: Call['params']): Supposition[] {
  return [
    ...(add_labels === undefined ? [] : [{ fact: 'labels', add: listed(add_labels) }]),
    ...(remove_labels === undefined ? [] : [{ fact: 'labels', remove: listed(remove_labels) }]),
    ...(state_event === undefined ? [] : [so('state', state_event === 'close' ? 'closed' : 'opened')]),
    ...Object.entries(fields).flatMap(([name, value]) => (Object.hasOwn(facts, name) ? [so(name, value as Json)] : [])),
  ]
}

/** What is to be supposed after the call was made. What a rule did once is in its memory besides. */
export function effectsOf({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>, bot: { username: string }): Supposition[] {
  switch (endpoint) {
    case 'mergeRequests.update':
      return updated(params)
    case 'mergeRequests.approve':
      return [so('approved_by_bot', true), { fact: 'approved_by', add: [bot.username] }]
    case 'mergeRequests.unapprove':
      return [so('approved_by_bot', false), { fact: 'approved_by', remove: [bot.username] }]
    case 'mergeRequests.accept':
      return [params.merge_when_pipeline_succeeds === true ? so('merge_when_pipeline_succeeds', true) : so('state', 'merged')]
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
