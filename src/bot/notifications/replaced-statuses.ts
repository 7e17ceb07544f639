// Tells operators that somebody else set a status that a rule sets, and that Bellhop replaced it.
import { randomUUID } from 'node:crypto'
import type { DecideInput, Decision } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { notify } from './notify.ts'

/** Each is in the audit log; there is one notification for a head. Throws JournalUnavailable. */
export async function reportReplaced(
  context: Context,
  { mergeRequest: { project, iid }, bot }: Pick<DecideInput, 'mergeRequest' | 'bot'>,
  { responses, head }: Pick<Decision, 'responses' | 'head'>,
): Promise<void> {
  for (const { call, at, status: answered } of responses) {
    if (call.replaced === undefined) continue
    const { name: status, state, by } = call.replaced
    const about = { project, iid, status, state, by }
    const answer = answered === null ? {} : { status: answered }
    const operation = 'replace_forged_status'
    await context.journal.audit.save({ id: randomUUID(), at, by: bot.username, operation, to: about, ...answer })
    const key = JSON.stringify([project, iid, head, status])
    await notify(context, { kind: 'status_forged', about: { ...about, projectPath: '' } }, key)
  }
}
