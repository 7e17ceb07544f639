// Approvals that people gave before a rebase by Bellhop which changed the content, or may have: they do not count (DESIGN §5).
import type { Tolerant } from '../../../api/endpoint.ts'
import type { DecideInput, Memory, SourceAnswers } from '../../types.ts'
import { items } from '../definition/list-items.ts'
import { type BodyOf, bodyOf } from '../definition/source.ts'
import { sources } from '../definition/sources.ts'

export type Approvals = Tolerant<BodyOf<'mergeRequests.approvals'>>
type Approver = NonNullable<ReturnType<typeof approversIn>>[number]

const approversIn = ({ approved_by }: Approvals) => items(approved_by)?.map((each) => each?.user)

/** Whether the approval is from before such a rebase. Bellhop's own is decided anew by its rules. Fails closed. */
export function isOld(user: Approver, { memory: { oldApprovals }, bot }: Pick<DecideInput, 'memory' | 'bot'>): boolean {
  if (oldApprovals === undefined || user?.id === bot.id) return false
  return oldApprovals.by === undefined || user?.id === undefined || oldApprovals.by.includes(user.id)
}

/** Why approvals do not count, and what to do; undefined where all count. */
export function whyOld(approvals: Approvals, given: Pick<DecideInput, 'memory' | 'bot'>): string | undefined {
  const old = approversIn(approvals)?.filter((user) => isOld(user, given)) ?? []
  if (old.length === 0) return undefined
  const names = old.map((user) => user?.username ?? 'somebody').join(', ')
  return `${names} approved before Bellhop’s rebase, which changed the content or could not be compared: revoke the approval, and approve again`
}

/** The memory after the approvals were read: what was revoked once counts when it is given again. */
export function withOldApprovals(memory: Memory, answers: SourceAnswers, bot: DecideInput['bot']): Memory {
  const body = bodyOf(sources.approvals, answers[sources.approvals.name])
  const users = body && approversIn(body)
  if (memory.oldApprovals === undefined || users === undefined) return memory
  const { oldApprovals: _, ...rest } = memory
  const by = users.filter((user) => isOld(user, { memory, bot })).flatMap((user) => user?.id ?? [])
  return by.length === 0 ? rest : { ...rest, oldApprovals: { by } }
}
