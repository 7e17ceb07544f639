// Blocks a merge that only approvals of other content allow, which the service still counts after a rebase.
import type { ActionOutcome } from '../../actions/definition/action.ts'
import { whyOld } from '../../facts/approvals.ts'
import { bodyOf } from '../../facts/definition/source.ts'
import { sources } from '../../facts/definition/sources.ts'
import type { DecideInput, SourceName } from '../../types.ts'

/** Blocks a merge whose required approvals are for other content; undefined if there are none such. */
export function refusedByOldApprovals({
  memory,
  bot,
  answers,
}: Pick<DecideInput, 'memory' | 'bot' | 'answers'>):
  | { outcome: ActionOutcome; isRequested: false }
  | { needs: SourceName[] }
  | undefined {
  if (memory.oldApprovals === undefined) return undefined
  const { name } = sources.approvals
  if (!Object.hasOwn(answers, name)) return { needs: [name] }
  const body = bodyOf(sources.approvals, answers[name])
  // Fails closed: approvals of other content may be counted.
  if (body === undefined) return blocked('whether approvals are of the present content is unknown')
  const why = (body.approvals_required ?? 0) > 0 ? whyOld(body, { memory, bot }) : undefined
  return why === undefined ? undefined : blocked(why)
}

const blocked = (detail: string) => ({ outcome: { result: 'blocked', detail }, isRequested: false }) as const
