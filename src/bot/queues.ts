// The queues of the flow.
import type { MergeQueueRef } from '../journal/types.ts'
import { fairQueue } from '../queue/bullmq/fair-queue.ts'
import type { JobQueue, Queues } from '../queue/types.ts'
import { type DeliveryJob, projectOfDelivery } from './intake/delivery-job.ts'
import type { MergeRequestJob } from './jobs.ts'
import type { ChatJob } from './notifications/chat-body.ts'
import type { NotificationJob } from './notifications/notification.ts'
import type { SweepJob } from './sweep/sweep-job.ts'

export interface BotQueues {
  deliveries: JobQueue<DeliveryJob>
  mergeRequests: JobQueue<MergeRequestJob>
  mergeQueues: JobQueue<MergeQueueRef>
  scheduledEvaluations: JobQueue<MergeRequestJob>
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
    scheduledEvaluations: backend.queue('scheduled-evaluations'),
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
