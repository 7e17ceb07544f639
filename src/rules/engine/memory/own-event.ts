// Recognizes events that Bellhop caused itself (DESIGN §7, no loop).
import { isOwn } from '../../facts/definition/bot-user.ts'
import { isProject } from '../../facts/definition/project-ref.ts'
import type { Call, CallResponse, DecideInput, Event, Memory } from '../../types.ts'

/** How long after a call an event may still be caused by it. */
const RAISED_WITHIN_MS = 60 * 60_000

/** The kinds of events that a call may raise (hosting-service.md §2). */
function kindsOf({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>): string[] {
  const update = 'merge_request.update'
  switch (endpoint) {
    case 'mergeRequests.update':
      return [update, ...(typeof params.state_event === 'string' ? [`merge_request.${params.state_event}`] : [])]
    case 'mergeRequests.approve':
      return [update, 'merge_request.approved', 'merge_request.approval']
    case 'mergeRequests.unapprove':
      return [update, 'merge_request.unapproved', 'merge_request.unapproval']
    case 'mergeRequests.accept':
      return [update, 'merge_request.merge', 'merge_request.close']
    case 'mergeRequests.rebase':
      return [update, 'push']
    case 'mergeRequests.timeEstimate':
    case 'mergeRequests.addSpentTime':
    case 'mergeRequests.cancelMergeWhenPipelineSucceeds':
      return [update]
    default:
      return []
  }
}

/** By kind of event, when a recorded call last could have caused one. */
export function rememberRaised(
  { raised = {} }: Memory,
  answers: readonly CallResponse[],
): NonNullable<Memory['raised']> {
  const may = answers.filter(({ result }) => result === 'done' || result === 'already' || result === 'ambiguous')
  const now = may.flatMap(({ call, at }) => kindsOf(call).map((kind) => [kind, at] as const))
  return { ...raised, ...Object.fromEntries(now) }
}

/**
 * Bellhop's own events start no rule, or they would loop. Other events of its user do, if no recorded call can have caused them.
 * Fails closed: notes and project events of its user always count as its own.
 */
export function isOwnDoing(
  event: Event,
  { bot, memory, mergeRequest }: Pick<DecideInput, 'bot' | 'memory' | 'mergeRequest'>,
): boolean {
  if (!isOwn(event, bot)) return false
  if (event.kind.startsWith('note.') || isProject(mergeRequest)) return true
  const last = memory.raised?.[event.kind]
  return last !== undefined && Date.parse(event.at) - Date.parse(last) < RAISED_WITHIN_MS
}
