// Planning one action: which of several rules that request it wins, and what they share.
import { type Action, action } from '../../../src/rules/actions/definition/action.ts'
import { planAction } from '../../../src/rules/engine/plan-action.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import { onlyTrue } from '../../../src/rules/language/values/shapes.ts'
import { happened, onEvent, overTime } from '../over-time.ts'
import { answers, decidedBy, file, head, input, pipeline, rememberDone, rule, rules, sent } from '../world.ts'

describe('of two rules', () => {
  const ofTwo = (first: string, second: string, changes: Parameters<typeof decidedBy>[1] = {}) =>
    decidedBy(rules(rule('{ state: opened }', first, 'one'), rule('{ author: alice }', second, 'two')), changes)
  it('the first still wins after it acted', () => {
    const estimates = ['{ estimate: 1h }', '{ estimate: { duration: 2h, overwrite: true } }'] as const
    const memory = rememberDone(emptyMemory(), ofTwo(...estimates))
    const again = ofTwo(...estimates, { memory, answers: answers({ time_stats: { time_estimate: 3600 } }) })
    expect(again.calls).toEqual([])
    expect(again.rules.map((each) => each.actions[0]?.result)).toEqual(['done_before', 'overruled'])
  })
  it('the second acts where the first is blocked', () => {
    const given = { answers: answers({ head_pipeline: null }) }
    const decision = ofTwo('{ accept: true }', '{ accept: { pipeline: none } }', given)
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['waits', 'call'])
    expect(decision.calls.map((call) => call.rules)).toEqual([['rules/test.yml#two']])
  })
  it('the first still wins while the service waits for it', () => {
    const texts = [
      rule('{ state: opened }', '{ accept: { when: pipeline_succeeds } }', 'one'),
      rule('{ state: opened }', '{ accept: { pipeline: none, squash: true } }', 'two'),
    ]
    const mr = overTime(pipeline('running'))
    expect(mr.sends(texts)).toEqual([['mergeRequests.accept', { sha: head, merge_when_pipeline_succeeds: true }]])
    const later = mr.turn(texts)
    expect(later.calls).toEqual([])
    expect(later.rules.map((each) => each.actions[0]?.result)).toEqual(['waits', 'overruled'])
  })
})

describe('the update of one rule', () => {
  const events = [happened('push')]
  const turn = (...updates: string[]) =>
    overTime().turn(
      updates.map((each, index) => onEvent('push', `{ update: ${each} }`, `rule ${index}`)),
      { events },
    )
  it('leaves other fields to other rules', () => {
    const decision = turn('{ title: One }', '{ lock_discussion: true }')
    expect(sent(decision)).toEqual([['mergeRequests.update', { title: 'One', discussion_locked: true }]])
    expect(decision.calls[0]?.rules).toEqual(['rules/test.yml#rule 0@d1', 'rules/test.yml#rule 1@d1'])
  })
  it('of a field that another rule sets is lost, and says so', () => {
    const decision = turn('{ title: One }', '{ title: Two, lock_discussion: true }', '{ title: One }')
    expect(sent(decision)).toEqual([['mergeRequests.update', { title: 'One' }]])
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['call', 'overruled', 'call'])
    expect(decision.rules[1]?.actions[0]?.detail).toBe('the rule rules/test.yml#rule 0 came first')
  })
  it('is shared where both say the same', () => {
    const decision = turn('{ title: "By {{ actor }}" }', '{ title: "By {{ actor }}" }')
    expect(sent(decision)).toEqual([['mergeRequests.update', { title: 'By alice' }]])
    expect(decision.calls[0]?.rules.length).toBe(2)
  })
  it('says for the first of its events what it says', () => {
    const text = onEvent('push', '{ update: { title: "By {{ actor }}" } }')
    const bob = happened('push', 'd2', { actor: { id: 3, username: 'bob' } })
    expect(overTime().sends([text], { events: [...events, bob] })).toEqual([
      ['mergeRequests.update', { title: 'By alice' }],
    ])
  })
  it('is lost also where the field is as the first rule wants it', () => {
    expect(sent(turn('{ title: Add a door }', '{ title: Two }'))).toEqual([])
  })
})

it.each<[string, Partial<Action>]>([
  ['shared by all rules', {}],
  ['of each rule', { per: 'rule' }],
  ['of each field', { per: 'field' }],
])('an action %s says when it is planned again', (_kind, changes) => {
  const declared = action({
    ...{ name: 'wait', doc: '', example: '', args: onlyTrue, needs: [], ...changes },
    calls: () => ({ result: 'waits', detail: 'not yet', againInMs: 5000 }),
  })
  const given = input([])
  const view = createView(given)
  const where = { key: 'r', rule: 'r', file: file('rules: []'), view, texts: view }
  const conditions = { all: [] }
  const request = { action: 'wait', args: true, line: 1, conditions, ...where }
  const requests = [{ ...request, matches: true, ofEvent: false, doneBefore: false }]
  const plan = planAction(declared, requests, { ...given, view })
  expect(plan.againInMs).toEqual([5000])
})
