// Selects the targets of an event: merge requests and issues that a rule may match, and the project where a rule is for it.
import { patternLimitIn } from '../../rules/engine/conditions/pattern-limit.ts'
import { hasRuleFor } from '../../rules/engine/conditions/rules-in-force.ts'
import { decide } from '../../rules/engine/decide.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { isIssue, projectRef } from '../../rules/facts/definition/subject-ref.ts'
import { statedFacts } from '../../rules/facts/reading/event-facts.ts'
import { knownBefore } from '../../rules/facts/reading/stable-facts.ts'
import { mayBeNamed } from '../../rules/language/events.ts'
import type { Event } from '../../rules/types.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import type { IncomingEvent } from './enqueue-event.ts'
import type { FoundMergeRequest } from './find-merge-requests.ts'
import type { IntakeContext } from './intake-context.ts'

// Unknown here: an event of the bot's own costs one evaluation more.
export const unknownBot = { id: -1, username: '' }

/**
 * The rules of the event's project; undefined where no rule can be about the event, or the rules may not be read.
 * Throws the 404 of a project that the bot's user cannot see.
 */
export async function rulesForEvent(
  { ruleFiles, limitConcurrency }: IntakeContext,
  event: Event,
  path: string | undefined,
): Promise<RulesInForce | undefined> {
  const { project, at } = event
  if (project === undefined || !mayBeNamed(event)) return undefined
  try {
    return await ruleFiles.inForce(project, {
      limitConcurrency,
      reported: path === undefined ? undefined : { path, at },
    })
  } catch (error) {
    // Not even the project itself can be seen: an evaluation could neither decide nor withdraw.
    if (!isPermanentRefusal(error) || isNotFound(error)) throw error
    return undefined
  }
}

/** Each with the event as it is for that merge request. Calls no service. */
export async function selectTargets(
  context: IntakeContext,
  rules: RulesInForce | undefined,
  incoming: Omit<IncomingEvent, 'ref'>,
  found: readonly FoundMergeRequest[],
): Promise<IncomingEvent[]> {
  const { event } = incoming
  const targets: IncomingEvent[] = []
  for (const { ref, stable } of found) {
    const target = { ...incoming, ref, event: stable === undefined ? event : { ...event, stable } }
    if (await isTarget(context, rules, target)) targets.push(target)
  }
  if (rules !== undefined && event.project !== undefined && hasRuleFor(rules, event))
    targets.push({ ...incoming, ref: projectRef(event.project) })
  return targets
}

/** A merge request is one where its rules are unknown; an issue is not: few projects have rules for issues. */
async function isTarget(
  context: IntakeContext,
  rules: RulesInForce | undefined,
  target: IncomingEvent,
): Promise<boolean> {
  if (rules === undefined || target.ref.project !== target.event.project) return !isIssue(target.ref)
  return mayMatch(context, rules, target)
}

/** False where the known facts show that no rule matches, now or later by the clock, and nothing is to be withdrawn. */
async function mayMatch(
  { journal, heavyProjects }: IntakeContext,
  { files, policy }: RulesInForce,
  { ref: mergeRequest, deliveryId, event }: IncomingEvent,
): Promise<boolean> {
  if (heavyProjects.has(mergeRequest.project)) return true
  const memory = (await journal.mergeRequests.memory(mergeRequest)) ?? emptyMemory()
  const about = { mergeRequest, memory, events: [{ id: deliveryId, event }], now: event.at }
  const project = { mergeRequestPipelines: false }
  const known = { stable: knownBefore(about), overrides: statedFacts(event) }
  const input = { ...about, ...known, files, policy, answers: {}, bot: unknownBot, project }
  const result = decide(input)
  if ('needs' in result) return true
  const { decision } = result
  // A pattern over its limit is not ruled out: the evaluation reports it.
  const isHeavy = patternLimitIn(decision) !== undefined
  if (isHeavy) heavyProjects.add(mergeRequest.project)
  return isHeavy || decision.changesAt !== undefined || decision.againInMs !== undefined
}
