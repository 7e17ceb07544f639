// The calls that evaluations make to Bellhop's own merge queue: entering and leaving.
import type { EndpointName } from '../../api/call-data.ts'
import type { CallOptions, Client } from '../../client/create-client.ts'
import type { ApiResponse } from '../../client/response.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import { isMergeQueueCall } from '../../rules/actions/definition/merge-queue-calls.ts'
import { enqueueMergeQueue, type MergeQueueJob } from './merge-queue-job.ts'

export interface EntryCallOptions {
  service: string
  client: Pick<Client, 'send'>
  journal: Pick<Journal, 'mergeQueueEntry' | 'saveMergeQueueEntry' | 'removeMergeQueueEntry'>
  mergeQueues: JobQueue<MergeQueueJob>
  now: () => number
}

/** Sends calls to the service, and those of the merge queue to the journal. Throws what client and journal throw. */
export function withMergeQueue(options: EntryCallOptions): Pick<Client, 'send'> {
  return {
    send: (endpoint, params, callOptions) =>
      isMergeQueueCall({ endpoint: endpoint as EndpointName })
        ? changeEntry(options, endpoint, params, callOptions)
        : options.client.send(endpoint, params, callOptions),
  }
}

async function changeEntry(
  { service, journal, mergeQueues, now }: EntryCallOptions,
  endpoint: string,
  params: Record<string, unknown>,
  callOptions: CallOptions = {},
): Promise<ApiResponse<unknown>> {
  const { id: project, merge_request_iid: iid } = params as { id: number; merge_request_iid: number }
  const mergeRequest = { service, project, iid }
  const before = await journal.mergeQueueEntry(mergeRequest)
  await callOptions.beforeRequest?.()
  if (endpoint === 'mergeQueue.leave') await journal.removeMergeQueueEntry(mergeRequest)
  else {
    const entry = entryOf(iid, params)
    const isSame = before?.head === entry.head && before.target === entry.target
    await journal.saveMergeQueueEntry(mergeRequest, { ...entry, since: isSame ? before.since : now() })
    if (before?.target !== entry.target)
      await enqueueMergeQueue(mergeQueues, { service, project, target: entry.target })
  }
  if (before !== undefined) await enqueueMergeQueue(mergeQueues, { service, project, target: before.target })
  return { status: 200, body: null }
}

function entryOf(iid: number, params: Record<string, unknown>) {
  const { queue, target, sha, priority, frozen, squash, remove_source_branch } = params as {
    queue: string
    target: string
    sha: string
    priority: number
    frozen: boolean
    squash?: boolean
    remove_source_branch?: boolean
  }
  return {
    ...{ iid, queue, target, head: sha, priority, frozen },
    ...(squash === undefined ? {} : { squash }),
    ...(remove_source_branch === undefined ? {} : { removeSourceBranch: remove_source_branch }),
  }
}
