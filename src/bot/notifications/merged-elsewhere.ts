// Tells operators and the merge request's people what others did instead: a merge into another branch than the evaluated
// one, and a status in place of a rule's.

import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../client/errors.ts'
import { markdownStyle } from '../../merge-queue/progress-text.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { DecideInput, Decision, MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { notify } from './notify.ts'

/** Reports a merge into a branch that became the target during the call. Throws no ServiceError: the merge is done. */
export async function reportMergedElsewhere(
  context: Context,
  { project, iid }: MergeRequestRef,
  { target, evaluated }: { target: string; evaluated?: string | undefined },
): Promise<void> {
  if (evaluated === undefined || evaluated === target) return
  const { client, log } = context
  log.error({ event: 'merged_elsewhere', target, evaluated }, 'merged into another branch than the evaluated one')
  const about = { project, projectPath: '', iid, target, evaluated }
  await notify(context, { kind: 'merged_elsewhere', about }, JSON.stringify([project, iid]))
  const [into, instead] = [target, evaluated].map(markdownStyle.code)
  const body = `Bellhop merged it into ${into}, but its rules were evaluated for ${instead}: its target branch was changed in that moment. Check ${into}, and revert the merge where it must not be there.`
  try {
    await client.mergeRequests.notes.create({ id: project, merge_request_iid: iid, body })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    log.warn({ event: 'merged_elsewhere_not_noted', reason: error.message }, 'a note was not written')
  }
}

/**
 * The same if the response of the newest decision's call was lost. Throws JournalUnavailable, and what the client
 * throws, except 403 and 404.
 */
export async function reportLostMerge(context: Context, mergeRequest: MergeRequestRef): Promise<void> {
  const { client, journal, botUser } = context
  const [last] = (await journal.decisions.list({ mergeRequest, limit: 1 })).items
  if (!last?.responses.some(({ call, result }) => call.revalidate === true && result === 'ambiguous')) return
  const ids = { id: mergeRequest.project, merge_request_iid: mergeRequest.iid }
  const body = await client.mergeRequests.get(ids, { bypassCache: true }).then(
    (response): Record<string, unknown> => response.body,
    (error: unknown): Record<string, unknown> => {
      if (isPermanentRefusal(error)) return {}
      throw error
    },
  )
  const { state, target_branch: target } = body
  const by = mergedBy(body)
  if (state !== 'merged' || typeof target !== 'string' || (by !== undefined && by !== (await botUser()).id)) return
  await reportMergedElsewhere(context, mergeRequest, { target, evaluated: last.target })
}

/** The id of who merged it; not on the page of the API. */
export function mergedBy({ merge_user: by }: Record<string, unknown>): number | undefined {
  return isMap(by) && typeof by.id === 'number' ? by.id : undefined
}

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
