// The outcome of a decision as a whole: the worst that matters to people.
import { mergeIn, outcomeOf, receiptOf } from '../../../src/rules/explain/decision-outcome.ts'
import type { ActionTrace, CallResponse, Decision } from '../../../src/rules/types.ts'
import { answered, came, decideRule, head } from '../world.ts'

const asking = (result: ActionTrace['result'], more: Partial<ActionTrace> = {}, verdict: 'true' | 'false' = 'true') => {
  const [rule] = decideRule('{ state: opened }', '{ subscribe: true }').rules
  if (rule === undefined) throw new Error('there is no rule')
  return [{ ...rule, verdict, actions: [{ action: 'accept', result, detail: '', ...more }] }]
}
const responses = (...results: CallResponse['result'][]) =>
  results.flatMap((result) => answered(decideRule('{ state: opened }', '{ subscribe: true }'), result).responses)

it.each<[string, Partial<Pick<Decision, 'rules' | 'responses' | 'paused'>>, string]>([
  ['nothing was to do', {}, 'nothing'],
  ['a call was made, though another rule waits', { responses: responses('done'), rules: asking('waits') }, 'acted'],
  ['a call had been made before', { responses: responses('already') }, 'acted'],
  ['one call was refused', { responses: responses('done', 'refused') }, 'failed'],
  ['the effect of one call is unknown', { responses: responses('done', 'ambiguous') }, 'failed'],
  ['the merge request moved', { responses: responses('moved') }, 'blocked'],
  ['it cannot be made now', { responses: responses('not_now') }, 'blocked'],
  ['the service left out a part', { responses: responses('dropped') }, 'blocked'],
  ['a matched rule is blocked', { rules: asking('blocked') }, 'blocked'],
  ['a matched rule waits', { rules: asking('waits') }, 'blocked'],
  ['a rule that only observes is blocked', { rules: asking('blocked', { dryRun: true }) }, 'nothing'],
  ['a rule that is blocked does not match', { rules: asking('blocked', {}, 'false') }, 'nothing'],
  ['everything is paused', { paused: 'the loop guard' }, 'blocked'],
])('%s: %j', (_what, decision, expected) => {
  expect(outcomeOf({ rules: [], responses: [], ...decision })).toBe(expected)
})

describe('a receipt', () => {
  const merged = answered(decideRule('{ draft: false }', '{ label: { add: x }, accept: { squash: true } }'))
  const withCommit = (decision: Decision) => ({
    ...decision,
    responses: decision.calls.map((call) => came(call, 'done', { state: 'merged', merge_commit_sha: 'c'.repeat(40) })),
  })
  it('has the rule, the head, the facts and the commit', () => {
    const facts = { draft: false, pipeline: 'success', approved_by: ['bob'] }
    expect(receiptOf({ ...withCommit(merged), facts })).toMatchObject({
      head,
      target: 'main',
      facts,
      pipeline: 'success',
      approvals: ['bob'],
      rules: [{ name: 'the rule', file: 'rules/test.yml', line: 3, blob: 'b1' }],
      endpoint: 'mergeRequests.accept',
      commit: 'c'.repeat(40),
      tree: undefined,
    })
  })
  it('has the commit and the tree that a merge queue landed', () => {
    const landed = { commit: 'd'.repeat(40), tree: 'e'.repeat(40) }
    expect(receiptOf(merged, landed)).toMatchObject(landed)
  })
  it('is only of what was merged', () => {
    const refused = { ...merged, responses: merged.calls.map((call) => came(call, 'refused')) }
    expect([mergeIn(refused), receiptOf(refused)]).toEqual([undefined, undefined])
    expect(receiptOf(answered(decideRule('{ draft: false }', '{ approve: true }')))).toBeUndefined()
  })
})
