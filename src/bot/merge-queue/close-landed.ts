// Closes what a push landed as other commits: a service counts only those as merged whose heads the target has.
import type { Landing } from '../../merge-queue/types.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { noteLandedRebased } from './notes.ts'
import type { QueueRun } from './queue-run.ts'

/** Throws what client, journal and git throw, except where the service does not let the bot close. */
export async function closeLanded(run: QueueRun, { by, members, commit }: Landing): Promise<void> {
  if (by !== 'push') return
  const { client, queue, repository, claim, log } = run
  // Without those that were pushed to since: their new heads have not landed.
  const present = await repository.fetchHeads(members)
  for (const { iid, head } of members.filter((each) => present.has(each.head))) {
    if (await repository.isAncestor(head, commit)) continue
    const ids = { id: queue.project, merge_request_iid: iid }
    const { body } = await client.mergeRequests.get(ids, { bypassCache: true })
    if (body.state !== 'opened' || body.sha !== head) continue
    await noteLandedRebased(run, iid, commit)
    try {
      await client.mergeRequests.update({ ...ids, state_event: 'close' }, { beforeRequest: claim })
    } catch (error) {
      if (!isPermanentRefusal(error)) throw error
      log.warn({ event: 'queue_landed_not_closed', iid, reason: error.message }, 'what landed was not closed')
    }
  }
}
