// The calls that evaluations make to Bellhop's own merge queue, to enter and to leave, and the note of one that leaves.
import type { CallOptions } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { MergeQueueEntry } from '../../journal/types.ts'
import { isSame, membersOf } from '../../merge-queue/mutable-plan.ts'
import { markdownStyle } from '../../merge-queue/progress-text.ts'
import type { EntryRef, MergeQueueRecord } from '../../merge-queue/types.ts'
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
  const { journal, now } = context
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
      since: keepsPlace ? before.since : now(),
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
  entry: EntryRef & Pick<MergeQueueEntry, 'target'>,
  claim: CallOptions['beforeRequest'],
): Promise<void> {
  const { project, iid } = mergeRequest
  const { target } = entry
  const [known, record] = await Promise.all([
    journal.mergeQueues.note(mergeRequest),
    journal.mergeQueues.find({ project, target }),
  ])
  if (known?.id === undefined || record === undefined || isNotedByQueue(record, entry)) return
  const text = `It left the merge queue of ${markdownStyle.code(target)}: no rule requests it as it is now. It returns when one does.`
  try {
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

/** Whether the queue writes the note itself: the entry lands, landed, was removed, or comes back rebased. */
function isNotedByQueue(
  { builds, landing, recent, removals, test = 'branch' }: MergeQueueRecord,
  entry: EntryRef,
): boolean {
  const landed = [...(landing?.members ?? []), ...recent.flatMap(({ members }) => members)]
  const all = [...landed, ...removals.map(({ member }) => member)]
  const isRebased = test !== 'branch' && membersOf(builds).some(({ iid }) => iid === entry.iid)
  return isRebased || all.some((each) => isSame(each, entry))
}
