// A merge that only approvals of other content allow: the service counts them on after a rebase, Bellhop does not.
import type { Action } from '../actions/definition/action.ts'
import { whyOld } from '../facts/approvals.ts'
import { bodyOf } from '../facts/definition/source.ts'
import { sources } from '../facts/definition/sources.ts'
import type { DecideInput } from '../types.ts'
import { refused, type refusedByQueue } from './queued-requests.ts'

/** Why the service's required approvals are not met; undefined where they are, or none are required. */
export function refusedByOldApprovals(
  { mergeQueue }: Pick<Action, 'mergeQueue'>,
  { memory, bot, answers }: Pick<DecideInput, 'memory' | 'bot' | 'answers'>,
): ReturnType<typeof refusedByQueue> {
  if (mergeQueue === undefined || memory.oldApprovals === undefined) return undefined
  const { name } = sources.approvals
  if (!Object.hasOwn(answers, name)) return { needs: [name] }
  const body = bodyOf(sources.approvals, answers[name])
  // Fails closed.
  if (body === undefined) return refused('whether approvals are of the present content is unknown')
  const why = (body.approvals_required ?? 0) > 0 ? whyOld(body, { memory, bot }) : undefined
  return why === undefined ? undefined : refused(why)
}
