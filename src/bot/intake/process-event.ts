// Processes the event of a delivery: stores its pushes, and enqueues the merge requests that a rule may match.
import { InvalidCallError } from '../../client/errors.ts'
import { hasRulesForIssues } from '../../rules/engine/conditions/rules-in-force.ts'
import { enqueueDependants } from '../dependencies/dependants.ts'
import { enqueueEvaluation } from '../evaluation/merge-request-job.ts'
import { wakeMergeQueues, wakeQueuesThatRebased } from '../merge-queue/wake.ts'
import { logNames } from '../reporting/log-names.ts'
import { enqueueAfterPush, enqueueAfterTag, enqueueOpen } from '../rule-changes/enqueue-open.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isMoved, isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import { enqueueEvent, newEvent } from './enqueue-event.ts'
import { evaluateBehind } from './evaluate-behind.ts'
import { actedOn } from './events/read-event.ts'
import { findMergeRequests } from './find-merge-requests.ts'
import { type CurrentDelivery, type IntakeContext, saveResult } from './intake-context.ts'
import { isOwnNoteWithoutEffect } from './own-note.ts'
import type { DeliverySummary } from './read-delivery.ts'
import { rulesForEvent, selectTargets } from './select-targets.ts'

// After everything that people wait for.
const noteJobPriority = 20

/** Saves the result of the delivery. Throws what client, journal and queue throw, except what no retry can change. */
export async function processEvent(
  context: IntakeContext,
  current: CurrentDelivery,
  read: DeliverySummary,
): Promise<void> {
  try {
    await processSeen(context, current, read)
  } catch (error) {
    const { event, projectPath } = read
    // A name that no call can carry, or a refusal; anything else is retried.
    if (!isPermanentRefusal(error) && !isMoved(error) && !(error instanceof InvalidCallError)) throw error
    const state = 'no_merge_request'
    if (!isNotFound(error)) {
      await saveResult(context, current, { event, state, reason: error.message })
      return
    }
    const reason = context.noteUnseen({ project: event.project, path: projectPath }, error.message)
    await saveResult(context, current, { event, state, reason }, { level: 'debug' })
  }
}

async function processSeen(context: IntakeContext, current: CurrentDelivery, summary: DeliverySummary): Promise<void> {
  const { secretProject } = current.record
  const { event } = summary
  const other = actedOn(summary).find((project) => project !== secretProject)
  if (secretProject !== undefined && other !== undefined) {
    // Fails closed: the secret of one project says nothing about another.
    const { journal } = context
    const [own, named] = await logNames(journal, [{ project: secretProject }, { project: other }])
    const reason = `It came with the secret of ${own}, but is about ${named}.`
    await saveResult(context, current, { event, state: 'refused', reason })
    return
  }
  const [problem] = await rememberGitChange(context, current.record.id, summary)
  // After the rules of a push are read: the settings of the queues may be among them.
  await wakeMergeQueues(context, event)
  // Before the rules of this project are read: those that wait may be in other projects.
  await enqueueDependants(context, event, (each) => enqueueEvaluation(context.mergeRequests, each))
  await enqueueTargets(context, { ...current, name: summary.name }, summary, problem)
}

/**
 * Stores pushes, and enqueues merge requests whose rules a push or tag changed. Returns the problems of the rules after a
 * push to the default branch.
 */
async function rememberGitChange(
  context: IntakeContext,
  deliveryId: string,
  { event, push }: DeliverySummary,
): Promise<readonly string[]> {
  const { journal, limitConcurrency } = context
  if (push !== undefined && push.to !== null) {
    const { project, branch, from, to, defaultBranch } = push
    await journal.pushes.add({ project, branch }, { from, to, by: event.actor }, deliveryId)
    return limitConcurrency(() => enqueueAfterPush(context, project, { branch, to, defaultBranch }))
  }
  const { kind, project, ref } = event
  if (project === undefined) return []
  if (kind === 'tag_push' && ref !== undefined) await limitConcurrency(() => enqueueAfterTag(context, project, ref))
  return []
}

async function enqueueTargets(
  context: IntakeContext,
  current: CurrentDelivery,
  summary: DeliverySummary,
  rulesProblem: string | undefined,
): Promise<void> {
  const { event, concern, stable, content, projectPath } = summary
  const deliveryId = current.record.id
  const { isReplay } = current
  const found = await findMergeRequests(context, concern, { at: event.at, stable, isReplay })
  await wakeQueuesThatRebased(
    context,
    event,
    found.map(({ ref }) => ref),
  )
  const rules = await rulesForEvent(context, event, projectPath)
  const isNeedless = !isReplay && (await isOwnNoteWithoutEffect(context, event, rules))
  const targets = isNeedless ? [] : await selectTargets(context, rules, { deliveryId, event, content }, found)
  if (targets.length === 0) {
    const none = concern.about === 'none' ? concern.reason : 'No open merge request is affected.'
    const isOfNoRule = concern.about === 'issue' && (rules === undefined || !hasRulesForIssues(rules))
    const ruledOut = isNeedless
      ? 'Bellhop wrote the note, and no rule depends on notes.'
      : 'No rule can match: what the delivery says rules it out.'
    const reason = isOfNoRule ? 'It is about an issue, and no rule is for issues.' : found.length > 0 ? ruledOut : none
    const mergeRequests = found.map(({ ref }) => ref)
    const result =
      rulesProblem === undefined
        ? { state: 'no_merge_request' as const, reason }
        : { state: 'rules_broken' as const, reason: rulesProblem }
    await saveResult(context, current, { event, ...result, mergeRequests })
  } else {
    const mergeRequests = targets.map(({ ref }) => ref)
    const reason = rulesProblem === undefined ? {} : { reason: rulesProblem }
    const events = targets.map(newEvent)
    // Before the evaluations are queued: the events are what they are for.
    const counted = await saveResult(context, current, { event, state: 'read', ...reason, mergeRequests }, { events })
    for (const [at, target] of targets.entries()) await enqueueEvent(context, target, counted[at])
  }
  // After this event is queued: deliveries that waited for the same reading would overtake it.
  if (rules !== undefined) await enqueueOthers(context, summary, rules)
  const mayChangeRules =
    event.kind === 'merge_request.open' || (event.kind.startsWith('merge_request.') && event.pushed !== undefined)
  if (!mayChangeRules) return
  for (const { ref } of found) await enqueueEvaluation(context.ruleChanges, ref, noteJobPriority)
}

/** What the event changes for other merge requests: those behind a pushed target, and all where the rules are new. */
async function enqueueOthers(context: IntakeContext, summary: DeliverySummary, rules: RulesInForce): Promise<void> {
  const { project } = summary.event
  try {
    await context.limitConcurrency(() => evaluateBehind(context, summary, rules))
    if (!rules.fresh || project === undefined) return
    await context.limitConcurrency(() => enqueueOpen(context, project, rules))
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
  }
}
