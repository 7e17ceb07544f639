// Processes the event of a delivery: stores its push, and enqueues the merge requests that it may concern.

import { LRUCache } from 'lru-cache'
import type { LimitFunction } from 'p-limit'
import { InvalidCallError } from '../../client/errors.ts'
import type { DeliveryParts } from '../../journal/tables/deliveries.ts'
import type { CountedEvent } from '../../journal/tables/events.ts'
import type { DeliveryRecord } from '../../journal/types.ts'
import { hasRulesForIssues } from '../../rules/engine/conditions/rules-in-force.ts'
import { isOwn } from '../../rules/facts/definition/access.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import type { Event, MergeRequestRef } from '../../rules/types.ts'
import { describeSpan, traceparent } from '../../tracing/span.ts'
import type { Context } from '../context.ts'
import { enqueueDependants } from '../dependencies/dependants.ts'
import { mayChangeRules, noteJobPriority } from '../evaluation/changed-rules.ts'
import { wakeMergeQueues, wakeQueuesOf } from '../merge-queue/wake.ts'
import { enqueueEvaluation } from '../queues.ts'
import { logName, logNames } from '../reporting/names.ts'
import { enqueueAfterPush, enqueueAfterTag, enqueueOpen } from '../rule-files/enqueue-open.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isMoved, isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import type { DeliverySummary } from './read-delivery.ts'
import { evaluateBehind, findMergeRequests, rulesForEvent, selectTargets } from './select-targets.ts'

export interface IntakeContext extends Context {
  /** Limits concurrent calls: more deliveries are read at once than the service should serve. */
  limitConcurrency: LimitFunction
  reportUnseen: ReturnType<typeof createUnseenProjects>
}

export interface CurrentDelivery {
  record: Omit<DeliveryRecord, 'replays'>
  /** Stored with the result. The body is absent if it is stored already, or there is none. */
  parts?: Omit<DeliveryParts, 'pending'>
  isReplay?: true
}

/**
 * Saves, counts and logs the result of a delivery, with the events that become pending; `level` if it is not news,
 * `path` of the event's project if it is known.
 * Returns what counts for each event. Throws JournalUnavailable.
 */
export async function saveResult(
  { journal, counting, log }: IntakeContext,
  { record: before, parts }: CurrentDelivery,
  result: Partial<CurrentDelivery['record']>,
  { level = 'info', pending, path }: Pick<DeliveryParts, 'pending'> & { level?: 'info' | 'debug'; path?: string } = {},
): Promise<CountedEvent[]> {
  const record = { ...before, ...result }
  const { id, state, event, reason, mergeRequests } = record
  const counted = await journal.deliveries.save(record, { ...parts, pending })
  counting?.delivery(record)
  describeSpan({ 'bellhop.delivery.state': state, 'bellhop.event': event?.kind })
  const names = mergeRequests.map((ref) => refName(ref.project === event?.project ? { ...ref, path } : ref))
  log[level](
    { event: 'delivery_read', delivery: id, state, kind: event?.kind, reason, mergeRequests: names },
    `delivery ${state}`,
  )
  return counted
}

/** Saves the result of the delivery. Throws what client, journal and queue throw, except what no retry can change. */
export async function processEvent(
  context: IntakeContext,
  { parts, ...given }: CurrentDelivery,
  read: DeliverySummary,
): Promise<void> {
  const { event, projectPath, name, origin } = read
  const current: CurrentDelivery = { ...given, parts: { ...parts, name, origin, push: pushOf(read) } }
  try {
    await processVisible(context, current, read)
  } catch (error) {
    // A name that no call can carry, or a refusal; anything else is retried.
    if (!isPermanentRefusal(error) && !isMoved(error) && !(error instanceof InvalidCallError)) throw error
    const state = 'no_merge_request'
    if (!isNotFound(error)) {
      await saveResult(context, current, { event, state, reason: error.message })
      return
    }
    const reason = context.reportUnseen({ project: event.project, path: projectPath }, error.message)
    await saveResult(context, current, { event, state, reason }, { level: 'debug' })
  }
}

function pushOf({ push, event }: DeliverySummary) {
  if (push === undefined || push.to === null) return undefined
  const { project, branch, from, to } = push
  return { project, branch, from, to, by: event.actor }
}

async function processVisible(context: IntakeContext, current: CurrentDelivery, summary: DeliverySummary) {
  const { secretProject } = current.record
  const { event } = summary
  const { project } = event
  if (secretProject !== undefined && project !== undefined && project !== secretProject) {
    // Fails closed: the secret of one project says nothing about another.
    const { journal } = context
    const [own, named] = await logNames(journal, [{ project: secretProject }, { project }])
    const reason = `It came with the secret of ${own}, but is about ${named}.`
    await saveResult(context, current, { event, state: 'refused', reason })
    return
  }
  const [problem] = await enqueueChangedRules(context, summary)
  // After the rules of a push are read: the settings of the queues may be among them.
  await wakeMergeQueues(context, event)
  // Before the rules of this project are read: those that wait may be in other projects.
  await enqueueDependants(context, event)
  await enqueueTargets(context, current, summary, problem)
}

/** Returns the problems of the rules after a push to the default branch. */
async function enqueueChangedRules(context: IntakeContext, { event, push }: DeliverySummary) {
  const { limitConcurrency } = context
  if (push !== undefined && push.to !== null) {
    const { project, branch, to, defaultBranch } = push
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
  const { event, content } = summary
  const deliveryId = current.record.id
  const { mergeRequests: found, ruleFiles: stored } = await findMergeRequests(context.journal, summary)
  await wakeQueuesOf(context, event, found)
  const rules = await rulesForEvent(context, { event, path: summary.projectPath, stored })
  const path = rules?.projectPath
  const isOwnNote = rules !== undefined && (await isOwnNoteOf(context, event))
  const targets = selectTargets(rules, event, found, { isReplay: current.isReplay === true, isOwnNote })
  if (targets.length === 0) {
    const result =
      rulesProblem === undefined
        ? { state: 'no_merge_request' as const, reason: whyNone(summary, found.length > 0, rules) }
        : { state: 'rules_broken' as const, reason: rulesProblem }
    await saveResult(context, current, { event, ...result, mergeRequests: found.map(({ ref }) => ref) }, { path })
  } else {
    const pending = { of: targets, event: { deliveryId, event, content, trace: traceparent() } }
    // Before the evaluations are queued: the events are what they are for.
    const counted = await saveResult(
      context,
      current,
      { event, state: 'read', reason: rulesProblem, mergeRequests: targets },
      { pending, path },
    )
    for (const [at, ref] of targets.entries()) await enqueueTarget(context, { ref, deliveryId, event }, counted[at])
  }
  // After this event is queued: deliveries that waited for the same reading would overtake it.
  if (rules !== undefined) await enqueueOthers(context, summary, rules)
  if (!mayChangeRules(event)) return
  // An evaluation finds out with what it reads.
  for (const { ref } of found)
    if (!targets.includes(ref)) await enqueueEvaluation(context.queues.ruleChanges, ref, noteJobPriority)
}

/** Whether Bellhop wrote it. Throws what the client throws. */
async function isOwnNoteOf({ botUser }: IntakeContext, event: Event): Promise<boolean> {
  if (!event.kind.startsWith('note.')) return false
  try {
    return isOwn(event, await botUser())
  } catch (error) {
    // The evaluation finds out what is wrong.
    if (isPermanentRefusal(error)) return false
    throw error
  }
}

const whyNone = ({ concern }: DeliverySummary, isFound: boolean, rules: RulesInForce | undefined): string => {
  if (concern.about === 'issue' && (rules === undefined || !hasRulesForIssues(rules)))
    return 'It is about an issue, and no rule is for issues.'
  if (isFound) return 'No rule waits for it, or what it says rules them out.'
  return concern.about === 'none' ? concern.reason : 'No open merge request is affected.'
}

/** What the event changes for other merge requests: those behind a pushed target, and all if the rules are new. */
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

/** `counted`: what counts for the event. Throws JournalUnavailable and QueueUnavailable. */
async function enqueueTarget(
  { journal, queues, log }: Context,
  { ref, deliveryId, event }: { ref: MergeRequestRef; deliveryId: string; event: Event },
  counted: CountedEvent | undefined,
): Promise<void> {
  if (counted !== undefined && counted.delivery !== deliveryId) {
    const [mergeRequest, first] = [await logName(journal, ref), counted.delivery]
    log.info({ event: 'duplicate_event', delivery: deliveryId, first, mergeRequest }, 'duplicate event')
    const happensOnce =
      event.kind === 'merge_request.open' || (event.kind === 'note.create' && event.note !== undefined)
    if (happensOnce && !counted.isPending) return
  }
  // Duplicates too: an action that was undone and repeated within a second looks like one.
  await enqueueEvaluation(queues.mergeRequests, ref)
}

const loggedAgainAfterMs = 60 * 60_000
const mostProjects = 10_000

export function createUnseenProjects({ log, now }: Context) {
  const logged = new LRUCache<string, true>({
    max: mostProjects,
    ttl: loggedAgainAfterMs,
    ttlResolution: 0,
    perf: { now },
  })
  /** Logs that the project cannot be seen, at most once an hour. Returns what the delivery's record says. */
  return ({ project = 0, path }: { project?: number; path?: string }, detail: string): string => {
    const name = refName({ project, path })
    const reason = `Bellhop’s user cannot see ${name}: ${detail}`
    if (!logged.has(name)) {
      logged.set(name, true)
      log.warn({ event: 'project_not_visible', project: name }, reason)
    }
    return reason
  }
}
