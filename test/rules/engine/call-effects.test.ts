// What a call would change, as far as rules can see it: the same as when the service did it.
import { describe, expect, it } from 'vitest'
import type { Action } from '../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../src/rules/actions/index.ts'
import { callEffects } from '../../../src/rules/engine/call-effects.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import { applied, bot, decided, exampleInput, input } from '../world.ts'

/** Facts that rules see of what actions change. */
const seen = [
  'labels',
  'state',
  'approved_by_bot',
  'subscribed',
  'squash',
  'title',
  'description',
  'target_branch',
  'merge_when_pipeline_succeeds',
]

describe.each(Object.values<Action>(actions as Record<string, Action>).map((action) => [action.name, action] as const))(
  'the calls of %s',
  (_name, action) => {
    const given = exampleInput(action)
    const decision = decided(given)
    it.each(seen)('leave %s as the service would', (fact) => {
      const overrides = decision.calls.flatMap((call) => callEffects(call, bot))
      const here = createView({ ...given, overrides: overrides }).fact(fact)
      const there = createView({ ...given, answers: applied(given.answers, decision) }).fact(fact)
      expect(here.is === 'known' ? here.value : here).toEqual(there.is === 'known' ? there.value : there)
    })
  },
)

it('an approval is the bot’s, and goes with it', () => {
  const overrides = callEffects({ endpoint: 'mergeRequests.approve', params: {} }, bot)
  const back = callEffects({ endpoint: 'mergeRequests.unapprove', params: {} }, bot)
  const approvers = (given: typeof overrides) => createView(input([], { overrides: given })).fact('approved_by')
  expect(approvers(overrides)).toMatchObject({ value: ['bellhop'] })
  expect(approvers([...overrides, ...back])).toMatchObject({ value: [] })
})
it('a merge that waits is no merge yet', () => {
  const call = { endpoint: 'mergeRequests.accept', params: { merge_when_pipeline_succeeds: true } } as const
  const view = createView(input([], { overrides: callEffects(call, bot) }))
  expect([view.fact('state'), view.fact('merge_when_pipeline_succeeds')]).toMatchObject([
    { value: 'opened' },
    { value: true },
  ])
})
