// Finds the merge requests or the issue of an event, and selects its targets: those for which it may change what rules
// do, and the project if a rule is for it.
import type { LimitFunction } from 'p-limit'
import type { Journal } from '../../journal/journal.ts'
import type { KnownMergeRequest } from '../../journal/tables/merge-requests.ts'
import type { StoredRuleFiles } from '../../journal/tables/rule-files.ts'
import { hasRuleFor } from '../../rules/engine/conditions/rules-in-force.ts'
import { hasRuleAboutTarget, isTriggered, isTriggeredByTarget } from '../../rules/engine/triggers.ts'
import { isIssue, issueRef, projectRef } from '../../rules/facts/definition/subject-ref.ts'
import { mayBeNamed } from '../../rules/language/events.ts'
import type { Event, MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import type { ReadEvent } from './events/event-fields.ts'

/**
 * What intake knows of an event: merge requests, and the rule files of their project. Merge requests that are not known
 * yet are left out: opening one is an event of its own, and the sweep finds those from before Bellhop. `origin`: as the
 * delivery says. Throws JournalUnavailable.
 */
export async function findMergeRequests(
  journal: Journal,
  { event: { project }, concern, origin }: Pick<ReadEvent, 'event' | 'concern' | 'origin'>,
): Promise<{ mergeRequests: KnownMergeRequest[]; ruleFiles?: StoredRuleFiles }> {
  if (concern.about === 'none' || project === undefined) return { mergeRequests: [] }
  if (concern.about === 'branch') {
    const { known, ruleFiles } = await journal.loadKnown({ project, branch: concern.branch })
    return { mergeRequests: known, ruleFiles }
  }
  const ref = concern.about === 'issue' ? issueRef(project, concern.iid) : { project, iid: concern.iid }
  const { known, ruleFiles } = await journal.loadKnown(ref)
  const one = { ref, keeps: false, queueTargets: [], ...known[0], origin: known[0]?.origin ?? origin }
  return { mergeRequests: [one], ruleFiles }
}

/**
 * The rules of the event's project; undefined if no rule can be about the event, or the rules may not be read.
 * Throws the 404 of a project that the bot's user cannot see.
 */
export async function rulesForEvent(
  { rules, limitConcurrency }: Pick<Context, 'rules'> & { limitConcurrency: LimitFunction },
  { event, path, stored }: { event: Event; path: string | undefined; stored: StoredRuleFiles | undefined },
): Promise<RulesInForce | undefined> {
  const { project, at } = event
  if (project === undefined || !mayBeNamed(event)) return undefined
  try {
    return await rules.inForce(project, {
      limitConcurrency,
      stored,
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

/** Pages of 100 entries. The sweep finds more. */
const maxPages = 5
/** After everything that people wait for. */
const priority = 10

/**
 * After a push to a target branch: enqueues the merge requests into it, which no hook names, if a rule about their
 * target branch may match. Throws what client, journal and queue throw.
 */
export async function evaluateBehind(
  { client, journal, queues }: Context,
  { event: { at }, push }: Pick<ReadEvent, 'event' | 'push'>,
  rules: Pick<RulesInForce, 'files' | 'policy'>,
): Promise<void> {
  // A new branch has no merge request behind it.
  if (push === undefined || push.from === null || push.to === null || !hasRuleAboutTarget(rules)) return
  const { project, branch } = push
  const opened = { id: project, state: 'opened', target_branch: branch, scope: 'all', per_page: 100 } as const
  for await (const page of client.pages(client.mergeRequests.list, opened, { maxPages })) {
    for (const each of page.body) {
      // A service may ignore the filters.
      if (each.iid === undefined || each.target_branch !== branch || each.state !== 'opened') continue
      const ref = { project, iid: each.iid }
      const [known] = await journal.mergeRequests.known(ref)
      if (isTriggeredByTarget(rules, at, known ?? { ref, keeps: false }, each))
        await enqueueEvaluation(queues.mergeRequests, ref, priority)
    }
  }
}
