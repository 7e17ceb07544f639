// The calls that evaluations make to Bellhop's own merge queue: entering and leaving.
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import { enteredBy, termsOf } from '../../rules/actions/definition/merge-queue-calls.ts'
import type { Call } from '../../rules/types.ts'
import { enqueueMergeQueue, type MergeQueueJob } from './merge-queue-job.ts'
import { noteLeaving } from './notes.ts'

export interface EntryCallOptions {
  client: Client
  journal: Journal
  log: Logger
  mergeQueues: JobQueue<MergeQueueJob>
  now: () => number
}

/** Enters or leaves: changes the journal, and wakes the queue. Throws what client, journal and `beforeRequest` throw. */
export async function changeEntry(
  options: EntryCallOptions,
  call: Pick<Call, 'endpoint' | 'params'>,
  beforeRequest: () => Promise<void>,
): Promise<void> {
  const { journal, mergeQueues, now } = options
  const { id: project, merge_request_iid: iid } = call.params as { id: number; merge_request_iid: number }
  const mergeRequest = { project, iid }
  const before = await journal.mergeQueues.entry(mergeRequest)
  await beforeRequest()
  const entered = enteredBy(call)
  if (entered === undefined) await journal.mergeQueues.saveEntry(mergeRequest, undefined)
  else {
    const isSame = before?.head === entered.sha && before.target === entered.target
    await journal.mergeQueues.saveEntry(mergeRequest, {
      ...termsOf(entered),
      ...{ iid, since: isSame ? before.since : now() },
    })
    if (before?.target !== entered.target) await enqueueMergeQueue(mergeQueues, { project, target: entered.target })
  }
  if (before !== undefined) await enqueueMergeQueue(mergeQueues, { project, target: before.target })
  if (before !== undefined && entered === undefined) await noteLeaving(options, mergeRequest, before, beforeRequest)
}
