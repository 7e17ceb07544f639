// Which events wake a merge queue: the ends of its pipelines, and pushes to its target.
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { Event } from '../../rules/types.ts'
import { isQueueBranch } from './branch-names.ts'
import { enqueueMergeQueue, type MergeQueueJob } from './merge-queue-job.ts'

export interface WakeOptions {
  service: string
  journal: Pick<Journal, 'mergeQueues'>
  mergeQueues: JobQueue<MergeQueueJob>
}

/** A pipeline that only began changes nothing. */
const ends: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped', 'manual'])

/** Enqueues the merge queues that the event may concern. Throws JournalUnavailable and QueueUnavailable. */
export async function wakeMergeQueues(
  { service, journal, mergeQueues }: WakeOptions,
  { kind, project, ref, pipeline }: Pick<Event, 'kind' | 'project' | 'ref' | 'pipeline'>,
): Promise<void> {
  if (project === undefined || ref === undefined) return
  const isOwn = isQueueBranch(ref)
  // What somebody pushes to a branch of the queue does not count, and the queue's own pushes are most of them.
  const concerns = isOwn ? pipeline !== undefined && ends.has(pipeline.status) : kind === 'push'
  if (!concerns) return
  const all = (await journal.mergeQueues(service)).filter((each) => each.project === project)
  for (const queue of all) if (isOwn || queue.target === ref) await enqueueMergeQueue(mergeQueues, queue)
}

/** Enqueues every merge queue of the service, as after lost hooks. Throws JournalUnavailable and QueueUnavailable. */
export async function wakeAllMergeQueues({ service, journal, mergeQueues }: WakeOptions): Promise<void> {
  for (const queue of await journal.mergeQueues(service)) await enqueueMergeQueue(mergeQueues, queue)
}
