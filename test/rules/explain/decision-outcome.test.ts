// The outcome of a decision as a whole: the worst that matters to people.
import { outcomeOf } from '../../../src/rules/explain/decision-outcome.ts'
import type { ActionTrace, CallResponse, Decision } from '../../../src/rules/types.ts'
import { answered, decideRule } from '../world.ts'

const asking = (result: ActionTrace['result'], more: Partial<ActionTrace> = {}, verdict: 'true' | 'false' = 'true') => {
  const [rule] = decideRule('{ state: opened }', '{ subscribe: true }').rules
  if (rule === undefined) throw new Error('there is no rule')
  return [{ ...rule, verdict, actions: [{ action: 'accept', result, detail: '', ...more }] }]
}
const came = (...results: CallResponse['result'][]) =>
  results.flatMap((result) => answered(decideRule('{ state: opened }', '{ subscribe: true }'), result).responses)

it.each<[string, Partial<Pick<Decision, 'rules' | 'responses' | 'paused'>>, string]>([
  ['nothing was to do', {}, 'nothing'],
  ['a call was made, though another rule waits', { responses: came('done'), rules: asking('waits') }, 'acted'],
  ['a call had been made before', { responses: came('already') }, 'acted'],
  ['one call was refused', { responses: came('done', 'refused') }, 'failed'],
  ['the effect of one call is unknown', { responses: came('done', 'ambiguous') }, 'failed'],
  ['the merge request moved', { responses: came('moved') }, 'blocked'],
  ['it cannot be made now', { responses: came('not_now') }, 'blocked'],
  ['the service left out a part', { responses: came('dropped') }, 'blocked'],
  ['a matched rule is blocked', { rules: asking('blocked') }, 'blocked'],
  ['a matched rule waits', { rules: asking('waits') }, 'blocked'],
  ['a rule that only observes is blocked', { rules: asking('blocked', { dryRun: true }) }, 'nothing'],
  ['a rule that is blocked does not match', { rules: asking('blocked', {}, 'false') }, 'nothing'],
  ['everything is paused', { paused: 'the loop guard' }, 'blocked'],
])('%s: %j', (_what, decision, expected) => {
  expect(outcomeOf({ rules: [], responses: [], ...decision })).toBe(expected)
})
