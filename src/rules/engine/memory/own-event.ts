// Recognizes events that Bellhop caused itself.
import { endpointsByName } from '../../../api/index.ts'
import { isOwn } from '../../facts/definition/bot-user.ts'
import { isProject } from '../../facts/definition/subject-ref.ts'
import type { CallResponse, DecideInput, Event, Memory } from '../../types.ts'

/** How long after a call an event may still be caused by it. */
const RAISED_WITHIN_MS = 60 * 60_000

/** For each kind of event, when a recorded call last could have caused one. */
export function rememberRaised(
  { raised = {} }: Memory,
  answers: readonly CallResponse[],
): NonNullable<Memory['raised']> {
  const effective: CallResponse['result'][] = ['done', 'already', 'dropped', 'ambiguous']
  const may = answers.filter(({ result }) => effective.includes(result))
  const now = may.flatMap(({ call: { endpoint, params }, at }) =>
    (endpointsByName.get(endpoint)?.raises?.(params) ?? []).map((kind) => [kind, at] as const),
  )
  return { ...raised, ...Object.fromEntries(now) }
}

/**
 * Bellhop's own events start no rule, or they would loop. Other events of its user do, if no recorded call can have
 * caused them. Fails closed: notes and project events of its user always count as its own.
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
