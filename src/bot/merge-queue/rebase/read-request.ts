// Reads a merge request that a merge queue rebases.
import type { Client } from '../../../client/create-client.ts'
import type { QueueRun } from '../queue-run.ts'

export type QueuedRequest = Awaited<ReturnType<Client['mergeRequests']['get']>>['body']

/** As it is now. Throws what the client throws. */
export async function readRequest({ client, queue }: QueueRun, iid: number): Promise<QueuedRequest> {
  const ids = { id: queue.project, merge_request_iid: iid, include_rebase_in_progress: true }
  return (await client.mergeRequests.get(ids, { bypassCache: true })).body
}
