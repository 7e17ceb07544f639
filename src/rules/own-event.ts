// What Bellhop did itself, as deliveries tell it (DESIGN §6, no loop).
import { isProject } from './project-ref.ts'
import type { Answer, Call, DecideInput, Event, Memory } from './types.ts'

/** How long after a call its event may come, and counts as Bellhop's own. */
const RAISED_WITHIN_MS = 60 * 60_000

/** Whether Bellhop's user did it: Bellhop itself, or whoever else has that user's password or token. */
export function isOwn({ actor }: Pick<Event, 'actor'>, bot: DecideInput['bot']): boolean {
  return actor.id === undefined ? actor.username === bot.username : actor.id === bot.id
}

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

/** When calls that may have been done last could raise an event of each kind. */
export function rememberRaised({ raised = {} }: Memory, answers: readonly Answer[]): NonNullable<Memory['raised']> {
  const may = answers.filter(({ result }) => result === 'done' || result === 'already' || result === 'ambiguous')
  const now = may.flatMap(({ call, at }) => kindsOf(call).map((kind) => [kind, at] as const))
  return { ...raised, ...Object.fromEntries(now) }
}

/**
 * What Bellhop did itself starts no rule: it would be a loop. Its user's other doings do, where a recorded call cannot have been the cause.
 * Fails closed: notes, and what happens to a project, have other causes than recorded calls; they are always Bellhop's.
 */
export function isOwnDoing(event: Event, { bot, memory, mergeRequest }: Pick<DecideInput, 'bot' | 'memory' | 'mergeRequest'>): boolean {
  if (!isOwn(event, bot)) return false
  if (event.kind.startsWith('note.') || isProject(mergeRequest)) return true
  const last = memory.raised?.[event.kind]
  return last !== undefined && Date.parse(event.at) - Date.parse(last) < RAISED_WITHIN_MS
}
