// Finds the merge requests or the issue of an event, and selects its targets: those for which it may change what rules do,
// and the project if a rule is for it.
import type { LimitFunction } from 'p-limit'
import type { KnownMergeRequest } from '../../journal/tables/merge-requests.ts'
import type { Journal } from '../../journal/types.ts'
import { hasRuleFor } from '../../rules/engine/conditions/rules-in-force.ts'
import { isTriggered } from '../../rules/engine/triggers.ts'
import { isIssue, issueRef, projectRef } from '../../rules/facts/definition/subject-ref.ts'
import { mayBeNamed } from '../../rules/language/events.ts'
import type { Event, MergeRequestOrigin, MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import type { Concern } from './events/concern.ts'

/**
 * Merge requests that are not known yet are left out: opening one is an event of its own, and the sweep finds those from
 * before Bellhop. `origin`: as the delivery says. Throws JournalUnavailable.
 */
export async function findMergeRequests(
  { mergeRequests }: Journal,
  concern: Concern,
  origin?: MergeRequestOrigin,
): Promise<KnownMergeRequest[]> {
  switch (concern.about) {
    case 'none':
      return []
    case 'branch':
      return mergeRequests.known({ project: concern.project, branch: concern.branch })
    case 'issue':
      return [await one(mergeRequests, issueRef(concern.project, concern.iid))]
    case 'merge request':
      return [await one(mergeRequests, { project: concern.project, iid: concern.iid }, origin)]
  }
}

async function one(
  mergeRequests: Journal['mergeRequests'],
  ref: MergeRequestRef,
  origin?: MergeRequestOrigin,
): Promise<KnownMergeRequest> {
  const [known] = await mergeRequests.known(ref)
  return { ref, keeps: false, queueTargets: [], ...known, origin: known?.origin ?? origin }
}

/**
 * The rules of the event's project; undefined if no rule can be about the event, or the rules may not be read.
 * Throws the 404 of a project that the bot's user cannot see.
 */
export async function rulesForEvent(
  { rules, limitConcurrency }: Pick<Context, 'rules'> & { limitConcurrency: LimitFunction },
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
