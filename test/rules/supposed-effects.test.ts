// What a call would change, as far as rules can see it: the same as when the service did it.
import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/rules/action.ts'
import { actions } from '../../src/rules/actions/index.ts'
import { effectsOf } from '../../src/rules/supposed-effects.ts'
import { createView } from '../../src/rules/view.ts'
import { applied, bot, decided, exampleInput, input } from './world.ts'

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
      const suppose = decision.calls.flatMap((call) => effectsOf(call, bot))
      const here = createView({ ...given, suppose }).fact(fact)
      const there = createView({ ...given, answers: applied(given.answers, decision) }).fact(fact)
      expect(here.is === 'known' ? here.value : here).toEqual(there.is === 'known' ? there.value : there)
    })
  },
)

it('an approval is the bot’s, and goes with it', () => {
  const suppose = effectsOf({ endpoint: 'mergeRequests.approve', params: {} }, bot)
  const back = effectsOf({ endpoint: 'mergeRequests.unapprove', params: {} }, bot)
  const approvers = (given: typeof suppose) => createView(input([], { suppose: given })).fact('approved_by')
  expect(approvers(suppose)).toMatchObject({ value: ['bellhop'] })
  expect(approvers([...suppose, ...back])).toMatchObject({ value: [] })
})
it('a merge that waits is no merge yet', () => {
  const call = { endpoint: 'mergeRequests.accept', params: { merge_when_pipeline_succeeds: true } } as const
  const view = createView(input([], { suppose: effectsOf(call, bot) }))
  expect([view.fact('state'), view.fact('merge_when_pipeline_succeeds')]).toMatchObject([{ value: 'opened' }, { value: true }])
})
