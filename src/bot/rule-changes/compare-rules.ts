// Decides about a merge request by two sets of rules on the same facts, within a call budget.
import type { Client } from '../../client/create-client.ts'
import { decide } from '../../rules/engine/decide.ts'
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import type { Decision, SourceAnswers } from '../../rules/types.ts'
import { type AfterReading, type Observation, withAnswer } from '../evaluation/fetch-facts.ts'
import { patternSlices } from '../evaluation/pattern-slices.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import type { CallBudget } from '../service/call-budget.ts'

type Rules = Pick<RulesInForce, 'files' | 'policy'>

/** Facts that are the same for every merge request of a project. */
const ofProject = ['project']

/** Both decisions, and the facts to reuse for the next merge request; undefined where the budget is used up. */
export async function decideWithBothRules(
  client: Client,
  observation: Omit<Observation, 'files' | 'policy'>,
  [present, proposed]: readonly [Rules, Rules],
  given: { answers: SourceAnswers; budget: CallBudget; afterReading: AfterReading },
): Promise<{ before: Decision; after: Decision; answers: SourceAnswers } | undefined> {
  let input = { ...observation, files: present.files, policy: present.policy, answers: given.answers }
  for (;;) {
    const now = input
    const one = await patternSlices.run(() => decide(now))
    const other = await patternSlices.run(() => decide({ ...now, files: proposed.files, policy: proposed.policy }))
    const needs = [one, other].flatMap((each) => ('needs' in each ? each.needs : []))
    const [cheapest] = needs
    if ('decision' in one && 'decision' in other) {
      const answers = Object.entries(input.answers).filter(([name]) => ofProject.includes(name))
      return { before: one.decision, after: other.decision, answers: Object.fromEntries(answers) }
    }
    const next = mergeRequestSource in input.answers ? cheapest : mergeRequestSource
    if (next === undefined || next in input.answers) throw new Error(`decide asks for ${String(next)}, which was read`)
    if (!given.budget.take('call')) return undefined
    const read = await withAnswer(client, input, next)
    input = {
      ...input,
      ...(next === mergeRequestSource ? await given.afterReading(read) : read),
      files: present.files,
      policy: present.policy,
    }
  }
}
