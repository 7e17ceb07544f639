// What a call would change, as far as rules can see it: the same as when the service did it.
import { expect, it } from 'vitest'
import type { Action } from '../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../src/rules/actions/index.ts'
import { overridesAfter } from '../../../src/rules/engine/call-effects.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { answer, answers, applied, bot, decided, decideRule, exampleInput, head, input } from '../world.ts'

/** Facts that rules see of what actions change. */
const seen = [
  ...['labels', 'state', 'approved_by_bot', 'subscribed', 'squash', 'title', 'description', 'target_branch'],
  ...['merge_when_pipeline_succeeds', 'assignee', 'milestone', 'reviewers', 'time_estimate'],
]

it.each(Object.values<Action>(actions as Record<string, Action>))(
  'the calls of $name leave all as the service',
  (action) => {
    const given = exampleInput(action)
    const decision = decided(given)
    const valuesIn = (changes: Partial<DecideInput>) => {
      const view = createView({ ...given, ...changes })
      return seen.map(view.fact).map((fact) => (fact.is === 'known' ? fact.value : fact))
    }
    const here = valuesIn({ overrides: overridesAfter(decision.calls) })
    expect(here).toEqual(valuesIn({ answers: applied(given.answers, decision) }))
  },
)

it('an approval is the bot’s, and goes with it', () => {
  const effectsOf = (then: string, user_has_approved: boolean) => {
    const approvals = answer({ approved_by: user_has_approved ? [{ user: bot }] : [], user_has_approved })
    return overridesAfter(decideRule('{ author: alice }', then, { answers: answers({}, { approvals }) }).calls)
  }
  const approved = effectsOf('{ approve: true }', false)
  const approvers = (overrides: typeof approved) => createView(input([], { overrides })).fact('approved_by')
  expect(approvers(approved)).toMatchObject({ value: ['bellhop'] })
  expect(approvers([...approved, ...effectsOf('{ unapprove: true }', true)])).toMatchObject({ value: [] })
})
it('a merge that waits is no merge yet', () => {
  const head_pipeline = { id: 5, sha: head, ref: 'feature', status: 'running', source: 'push' }
  const then = '{ accept: { when: pipeline_succeeds } }'
  const { calls } = decideRule('{ author: alice }', then, { answers: answers({ head_pipeline }) })
  const view = createView(input([], { overrides: overridesAfter(calls) }))
  expect([view.fact('state'), view.fact('merge_when_pipeline_succeeds')]).toMatchObject([
    { value: 'opened' },
    { value: true },
  ])
})
