// Decides about a merge request by two sets of rules on the same facts, within a call budget.
import type { Client } from '../../client/create-client.ts'
import { decide } from '../../rules/engine/decide.ts'
import { NOT_SHOWN } from '../../rules/facts/definition/fact.ts'
import { groupAnswer, groupOfAnswer, isPublicGroup } from '../../rules/facts/definition/group-members.ts'
import { mergeRequestSource, sourceNamed } from '../../rules/facts/definition/sources.ts'
import type { Decision, SourceAnswers, SourceName } from '../../rules/types.ts'
import { type AfterReading, type InitialInput, withAnswer } from '../evaluation/fetch-facts.ts'
import type { AnswersOf } from '../evaluation/kept-answers.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import type { CallBudget } from '../service/call-budget.ts'

type Rules = Pick<RulesInForce, 'files' | 'policy'>

/** Facts that are the same for every merge request of a project. */
const isOfProject = (name: string) => sourceNamed(name)?.ofProject === true

/** Both decisions, and the facts to reuse for the next merge request; undefined where the budget is used up. */
export async function decideWithBothRules(
  client: Client,
  initial: Omit<InitialInput, 'files' | 'policy'>,
  [present, proposed]: readonly [Rules, Rules],
  given: { answers: SourceAnswers; budget: CallBudget; afterReading: AfterReading },
): Promise<{ before: Decision; after: Decision; answers: SourceAnswers } | undefined> {
  let input = { ...initial, files: present.files, policy: present.policy, answers: given.answers }
  for (;;) {
    const one = decide(input)
    const other = decide({ ...input, files: proposed.files, policy: proposed.policy })
    const needs = [one, other].flatMap((each) => ('needs' in each ? each.needs : []))
    const [cheapest] = needs
    if ('decision' in one && 'decision' in other) {
      const answers = Object.entries(input.answers).filter(([name]) => isOfProject(name))
      return { before: one.decision, after: other.decision, answers: Object.fromEntries(answers) }
    }
    const wanted = mergeRequestSource in input.answers ? cheapest : mergeRequestSource
    if (wanted === undefined || wanted in input.answers)
      throw new Error(`decide asks for ${String(wanted)}, which was read`)
    const next = sourceFor(wanted, input)
    if (!given.budget.take('call')) return undefined
    const read = await withPublicAnswer(client, input, next)
    input = {
      ...input,
      ...(next === mergeRequestSource ? await given.afterReading(read) : read),
      files: present.files,
      policy: present.policy,
    }
  }
}

/** What to read for the wanted answer: first who may see the group whose members it lists. */
function sourceFor(wanted: SourceName, { answers }: AnswersOf): SourceName {
  const group = groupOfAnswer(wanted)
  return group === undefined || groupAnswer(group) in answers ? wanted : groupAnswer(group)
}

/** Who is in a group is shown only where everybody may see the group; else its members are not even read. */
async function withPublicAnswer<I extends AnswersOf>(client: Client, input: I, name: SourceName): Promise<I> {
  const group = groupOfAnswer(name)
  return group === undefined || isPublicGroup(group, input.answers)
    ? withAnswer(client, input, name)
    : { ...input, answers: { ...input.answers, [name]: { ok: false, reason: NOT_SHOWN } } }
}
