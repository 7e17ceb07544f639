// The queues of the flow, and the jobs of merge requests and merge queues: of each, one runs and one may wait.
import type { MergeQueueRef } from '../journal/types.ts'
import { fairQueue } from '../queue/bullmq/fair-queue.ts'
import type { JobQueue, Queues } from '../queue/types.ts'
import { shortName } from '../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../rules/types.ts'
import { type DeliveryJob, projectOfDelivery } from './intake/delivery-job.ts'
import type { ChatJob } from './notifications/chat-body.ts'
import type { NotificationJob } from './notifications/notification.ts'
import type { SweepJob } from './sweep/sweep-job.ts'

export interface BotQueues {
  deliveries: JobQueue<DeliveryJob>
  mergeRequests: JobQueue<MergeRequestJob>
  mergeQueues: JobQueue<MergeQueueRef>
  ruleChanges: JobQueue<MergeRequestJob>
  sweeps: JobQueue<SweepJob>
  notifications: JobQueue<NotificationJob>
  chats: JobQueue<ChatJob>
}

/** The queues by their names in queue/queue-names.ts. */
export function createBotQueues(backend: Queues, now: () => number): BotQueues {
  const byProject = { senderOf: ({ project }: { project: number }) => String(project), now }
  return {
    deliveries: fairQueue(backend.queue<DeliveryJob>('deliveries'), { senderOf: projectOfDelivery, now }),
    mergeRequests: fairQueue(mergeRequestQueue(backend), byProject),
    mergeQueues: fairQueue(backend.queue<MergeQueueRef>('merge-queues'), byProject),
    ruleChanges: fairQueue(backend.queue<MergeRequestJob>('rule-changes'), byProject),
    sweeps: backend.queue('sweeps'),
    notifications: backend.queue('notifications'),
    chats: backend.queue('chats'),
  }
}

/** The merge-request queue for the sweep: what it adds does not count against the project's share. */
export function unsharedMergeRequests(backend: Queues, now: () => number): JobQueue<MergeRequestJob> {
  return fairQueue(mergeRequestQueue(backend), { senderOf: () => undefined, now })
}

const mergeRequestQueue = (backend: Queues) => backend.queue<MergeRequestJob>('merge-requests')

/** Names only a merge request, an issue (iid below 0) or a project (iid 0): what happened is in the pending events. */
export type MergeRequestJob = MergeRequestRef

/** The deduplication key. */
export const mergeRequestKey = ({ project, iid }: MergeRequestRef) => `${project}${shortName({ iid })}`

/** Throws QueueUnavailable. */
export async function enqueueEvaluation(
  queue: JobQueue<MergeRequestJob>,
  { project, iid }: MergeRequestRef,
  priority?: number,
): Promise<void> {
  const data = { project, iid }
  await queue.add({ data, deduplicationKey: mergeRequestKey(data), priority })
}

/** Throws QueueUnavailable. */
export async function enqueueMergeQueue(
  queue: JobQueue<MergeQueueRef>,
  { project, target }: MergeQueueRef,
): Promise<void> {
  await queue.add({ data: { project, target }, deduplicationKey: `${project} ${target}` })
}
