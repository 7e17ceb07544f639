// Notes that Bellhop wrote itself, such as those of the merge queue: only few rules depend on them.
import { ruleSet } from '../../rules/engine/conditions/rules-in-force.ts'
import { isOwn } from '../../rules/facts/definition/bot-user.ts'
import { subjectOf } from '../../rules/facts/definition/subject-ref.ts'
import { factNamed } from '../../rules/facts/index.ts'
import { leavesOf } from '../../rules/language/conditions.ts'
import type { Event } from '../../rules/types.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import type { IntakeContext } from './intake-context.ts'

/** Whether it is a note of Bellhop's own, and no rule for what it is on has a condition that a note changes. Throws what the client throws. */
export async function isOwnNoteWithoutEffect(
  { botUser }: Pick<IntakeContext, 'botUser'>,
  event: Event,
  rules: Pick<RulesInForce, 'files' | 'policy'> | undefined,
): Promise<boolean> {
  if (rules === undefined || !event.kind.startsWith('note.')) return false
  const { of } = ruleSet(rules.files, rules.policy)
  const conditions = of[subjectOf({ iid: event.iid ?? 0 })].flatMap(({ rule }) => leavesOf(rule.if))
  if (conditions.some(({ fact }) => factNamed(fact)?.changesWithNotes === true)) return false
  try {
    return isOwn(event, await botUser())
  } catch (error) {
    // The evaluation finds out what is wrong.
    if (isPermanentRefusal(error)) return false
    throw error
  }
}
