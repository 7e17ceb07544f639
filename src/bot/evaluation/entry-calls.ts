// The calls that evaluations make to Bellhop's own merge queue, to enter and to leave, and the note of one that leaves.
import type { CallOptions } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { MergeQueueEntry } from '../../journal/types.ts'
import { isSame, membersOf } from '../../merge-queue/mutable-plan.ts'
import { markdownStyle } from '../../merge-queue/progress-text.ts'
import type { EntryRef, MergeQueueRecord } from '../../merge-queue/types.ts'
import { removalHelp } from '../../merge-queue/words.ts'
import { withMark } from '../../rules/actions/definition/action-calls.ts'
import { enteredBy, termsOf } from '../../rules/actions/definition/queued-merge.ts'
import type { Call, MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueMergeQueue } from '../queues.ts'
import { logName } from '../reporting/names.ts'

/** Names the note about the queue in its mark. */
export const queueNotePurpose = 'merge queue'

/** Enters or leaves: changes the journal and wakes the queue. Throws what client, journal and `beforeRequest` throw. */
export async function changeEntry(
  context: Context,
  call: Pick<Call, 'endpoint' | 'params'>,
  beforeRequest: () => Promise<void>,
): Promise<void> {
  const { journal } = context
  const { mergeQueues } = context.queues
  const { id: project, merge_request_iid: iid } = call.params as { id: number; merge_request_iid: number }
  const mergeRequest = { project, iid }
  const before = await journal.mergeQueues.entry(mergeRequest)
  await beforeRequest()
  const entered = enteredBy(call)
  if (entered === undefined) await journal.mergeQueues.saveEntry(mergeRequest, undefined)
  else {
    const keepsPlace = before?.head === entered.sha && before.target === entered.target
    await journal.mergeQueues.saveEntry(mergeRequest, {
      ...termsOf(entered),
      iid,
      since: keepsPlace ? before.since : await journal.mergeQueues.time(),
    })
    if (before?.target !== entered.target) await enqueueMergeQueue(mergeQueues, { project, target: entered.target })
  }
  if (before !== undefined) await enqueueMergeQueue(mergeQueues, { project, target: before.target })
  if (before !== undefined && entered === undefined) await noteLeaving(context, mergeRequest, before, beforeRequest)
}

/** Writes in its note that an entry left by itself. Throws what the journal throws; a ServiceError is logged. */
export async function noteLeaving(
  { client, journal, log, now }: Context,
  mergeRequest: MergeRequestRef,
  entry: EntryRef & Pick<MergeQueueEntry, 'target'> & { since?: number },
  claim: CallOptions['beforeRequest'],
): Promise<void> {
  const { project, iid } = mergeRequest
  const { target } = entry
  const [known, record] = await Promise.all([
    journal.mergeQueues.note(mergeRequest),
    journal.mergeQueues.find({ project, target }),
  ])
  if (known?.id === undefined || record === undefined || isNotedByQueue(record, entry)) return
  try {
    const why = await whyLeft(client, mergeRequest, entry)
    // Bellhop rebases it: it comes back with the new head.
    if (why === headChanged && isRebased(record, entry)) return
    const text = `It left the merge queue of ${markdownStyle.code(target)}: ${why}`
    const note = {
      id: project,
      merge_request_iid: iid,
      note_id: known.id,
      body: withMark(text, queueNotePurpose) ?? text,
    }
    await client.mergeRequests.notes.update(note, { beforeRequest: claim })
    await journal.mergeQueues.saveNote(mergeRequest, { id: known.id, about: 'left', at: now() })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const name = await logName(journal, mergeRequest)
    log.info({ event: 'queue_note_not_written', mergeRequest: name, reason: error.message }, 'a note was not written')
  }
}

const headChanged = 'its head changed. It returns when a rule requests the new one, with a green pipeline.'

const isRebased = ({ builds, test = 'branch' }: MergeQueueRecord, { iid }: EntryRef) =>
  test !== 'branch' && membersOf(builds).some((member) => member.iid === iid)

/** Why an entry left and how it returns, by the merge request as it is now. Throws what the client throws. */
async function whyLeft(
  client: Context['client'],
  { project, iid }: MergeRequestRef,
  { head, target, since }: EntryRef & { target: string; since?: number },
): Promise<string> {
  const ids = { id: project, merge_request_iid: iid }
  const { body } = await client.mergeRequests.get(ids, { bypassCache: true })
  const code = markdownStyle.code
  if (body.state === 'merged') return 'it was merged without the queue.'
  if (body.state !== 'opened') return 'somebody closed it. Reopen it to return.'
  if (body.target_branch !== target)
    return `its target branch is ${code(String(body.target_branch))} now. Change it back, or let a rule request it there.`
  if (body.sha !== head) return headChanged
  if (body.draft === true) return 'it is a draft now. Mark it as ready to return.'
  if (body.has_conflicts === true || body.detailed_merge_status === 'conflict')
    return `it conflicts with ${code(target)}. ${removalHelp.conflict}`
  const labels =
    since === undefined ? [] : (await client.mergeRequests.labelEvents.list({ ...ids, per_page: 100 })).body
  const changed = labels.flatMap(({ created_at: at, action, label }) =>
    since === undefined || Date.parse(at ?? '') < since ? [] : [`${code(label?.name ?? '?')} (${action})`],
  )
  const why = changed.length === 0 ? 'no rule requests it as it is now' : `its labels changed: ${changed.join(', ')}`
  return `${why}. It returns when a rule requests it.`
}

/** Whether the queue writes the note itself: the entry lands, landed, or was removed. */
function isNotedByQueue({ landing, recent, removals }: MergeQueueRecord, entry: EntryRef): boolean {
  const landed = [...(landing?.members ?? []), ...recent.flatMap(({ members }) => members)]
  return [...landed, ...removals.map(({ member }) => member)].some((each) => isSame(each, entry))
}
