// Freezes by hand, in the journal: for operators and for the command in comments.
import type { Freeze } from '../../rules/language/values/freezes.ts'
import type { Call } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueListed } from '../rule-files/enqueue-open.ts'

/** The mark of a project that has its last freeze. */
export const freezeMark = 'freeze'

/** The last freeze of a project, which may be over; undefined if there was none. Throws JournalUnavailable. */
export const readFreezeOf = ({ journal }: Pick<Context, 'journal'>, project: number): Promise<Freeze | undefined> =>
  journal.marks.read(project, freezeMark)

/**
 * Begins or ends a freeze, unless a later one is stored, and evaluates what is open. Safe to repeat. Throws what client,
 * journal and queue throw.
 */
export async function changeFreeze(context: Context, project: number, freeze: Freeze): Promise<void> {
  await context.journal.marks.change<Freeze>(project, freezeMark, (last) =>
    last !== undefined && Date.parse(last.at) > Date.parse(freeze.at) ? undefined : freeze,
  )
  await enqueueListed(context, project, 'merge requests')
}

/** Carries out the command of a comment, with an entry in the audit log. Throws as `changeFreeze`, and `before`. */
export async function freezeByComment(
  context: Context,
  call: Pick<Call, 'params'>,
  before: () => Promise<void>,
): Promise<void> {
  const params = call.params as unknown as { id: number; merge_request_iid: number; delivery: string; freeze: Freeze }
  const { id: project, merge_request_iid: iid, delivery, freeze } = params
  const { by, at, reason: why, until, except } = freeze
  await before()
  const to = { project, iid, until, except }
  await context.journal.audit.save({ id: `freeze ${delivery}`, at, by, operation: 'freeze', to, why, status: 202 })
  await changeFreeze(context, project, freeze)
}
