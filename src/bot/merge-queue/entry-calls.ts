// The calls that evaluations make to Bellhop's own merge queue: entering and leaving.
import type { Logger } from 'pino'
import type { CallData, EndpointName } from '../../api/call-data.ts'
import type { CallOptions, Client } from '../../client/create-client.ts'
import type { ApiResponse } from '../../client/response.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import { enteredBy, isMergeQueueCall, termsOf } from '../../rules/actions/definition/merge-queue-calls.ts'
import { enqueueMergeQueue, type MergeQueueJob } from './merge-queue-job.ts'
import { noteLeaving } from './notes.ts'

export interface EntryCallOptions {
  client: Client
  journal: Journal
  log: Logger
  mergeQueues: JobQueue<MergeQueueJob>
  now: () => number
}

/** Sends calls to the service, and those of the merge queue to the journal. Throws what client and journal throw. */
export function withMergeQueue(options: EntryCallOptions): Pick<Client, 'send'> {
  return {
    send(endpoint, params, callOptions) {
      const call = { endpoint: endpoint as EndpointName, params }
      return isMergeQueueCall(call)
        ? changeEntry(options, call, callOptions)
        : options.client.send(endpoint, params, callOptions)
    },
  }
}

async function changeEntry(
  options: EntryCallOptions,
  { endpoint, params }: CallData,
  callOptions: CallOptions = {},
): Promise<ApiResponse<unknown>> {
  const { journal, mergeQueues, now } = options
  const { id: project, merge_request_iid: iid } = params as { id: number; merge_request_iid: number }
  const mergeRequest = { project, iid }
  const before = await journal.mergeQueues.entry(mergeRequest)
  await callOptions.beforeRequest?.()
  const entered = enteredBy({ endpoint, params })
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
  if (before !== undefined && entered === undefined)
    await noteLeaving(options, mergeRequest, before, callOptions.beforeRequest)
  return { status: 200, body: null }
}
