// Selects the targets of an event: merge requests and issues for which it may change what rules do, and the project
// if a rule is for it.
import type { KnownMergeRequest } from '../../journal/tables/merge-requests.ts'
import { hasRuleFor } from '../../rules/engine/conditions/rules-in-force.ts'
import { isTriggered } from '../../rules/engine/triggers.ts'
import { isIssue, projectRef } from '../../rules/facts/definition/subject-ref.ts'
import { mayBeNamed } from '../../rules/language/events.ts'
import type { Event, MergeRequestRef } from '../../rules/types.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import type { IntakeContext } from './intake-context.ts'

/**
 * The rules of the event's project; undefined if no rule can be about the event, or the rules may not be read.
 * Throws the 404 of a project that the bot's user cannot see.
 */
export async function rulesForEvent(
  { rules, limitConcurrency }: IntakeContext,
  event: Event,
  path: string | undefined,
): Promise<RulesInForce | undefined> {
  const { project, at } = event
  if (project === undefined || !mayBeNamed(event)) return undefined
  try {
    return await rules.inForce(project, {
      limitConcurrency,
      reported: path === undefined ? undefined : { path, at },
    })
  } catch (error) {
    // Not even the project itself can be seen: an evaluation could neither decide nor withdraw.
    if (!isPermanentRefusal(error) || isNotFound(error)) throw error
    return undefined
  }
}

/** Reads nothing. A person who replays an event asks for all that it is about. */
export function selectTargets(
  rules: RulesInForce | undefined,
  event: Event,
  found: readonly KnownMergeRequest[],
  { isReplay, isOwnNote }: { isReplay: boolean; isOwnNote: boolean },
): MergeRequestRef[] {
  const isTarget = (each: KnownMergeRequest) => {
    if (isReplay) return true
    // A merge request is one if its rules are unknown; an issue is not: few projects have rules for issues.
    if (rules === undefined || each.ref.project !== event.project) return !isIssue(each.ref)
    return isTriggered(rules, event, { ...each, isOwnNote })
  }
  const targets = found.filter(isTarget).map(({ ref }) => ref)
  const isForProject = rules !== undefined && event.project !== undefined && hasRuleFor(rules, event)
  return isForProject ? [...targets, projectRef(event.project as number)] : targets
}
