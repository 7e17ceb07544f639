// Judges open merge requests by two sets of rules on the same answers, and stops asking when it has asked enough (DESIGN §4, Layers and trust).
import type { Client } from '../client/create-client.ts'
import { decide } from '../rules/decide.ts'
import { boundSource } from '../rules/sources.ts'
import type { Decision, SourceAnswers } from '../rules/types.ts'
import type { Budget } from './budget.ts'
import { type AfterReading, type Observation, withAnswer } from './observe.ts'
import { patternTurns } from './pattern-turns.ts'
import type { RulesInForce } from './rule-files.ts'

type Rules = Pick<RulesInForce, 'files' | 'policy'>

/** Answers that are the same for every merge request of a project. */
const ofProject = ['project']

/** Both decisions, and what may be used for the next one; undefined where the budget does not reach. */
export async function decideBoth(
  client: Client,
  observation: Omit<Observation, 'files' | 'policy'>,
  [present, proposed]: readonly [Rules, Rules],
  given: { answers: SourceAnswers; budget: Budget; afterReading: AfterReading },
): Promise<{ before: Decision; after: Decision; answers: SourceAnswers } | undefined> {
  let input = { ...observation, files: present.files, policy: present.policy, answers: given.answers }
  for (;;) {
    const now = input
    const one = await patternTurns.run(() => decide(now))
    const other = await patternTurns.run(() => decide({ ...now, files: proposed.files, policy: proposed.policy }))
    const needs = [one, other].flatMap((each) => ('needs' in each ? each.needs : []))
    const [cheapest] = needs
    if ('decision' in one && 'decision' in other) {
      const answers = Object.entries(input.answers).filter(([name]) => ofProject.includes(name))
      return { before: one.decision, after: other.decision, answers: Object.fromEntries(answers) }
    }
    const next = boundSource in input.answers ? cheapest : boundSource
    if (next === undefined || next in input.answers) throw new Error(`decide asks for ${String(next)}, which was read`)
    if (!given.budget.take('call')) return undefined
    const read = await withAnswer(client, input, next)
    input = { ...input, ...(next === boundSource ? await given.afterReading(read) : read), files: present.files, policy: present.policy }
  }
}
