// The queues of one service. Each service has its own, so that a rate limit of one never pauses another.
import { type FairQueue, fairQueue } from '../queue/bullmq/fair-queue.ts'
import type { JobQueue, Queues } from '../queue/types.ts'
import type { ChatJob } from './chats/chats.ts'
import type { MergeRequestJob } from './evaluation/merge-request-job.ts'
import type { ScheduledEvaluationJob } from './evaluation/scheduled-evaluation.ts'
import type { DeliveryJob } from './intake/delivery-job.ts'
import { projectOfDelivery, projectOfMergeRequest } from './intake/delivery-project.ts'
import type { MergeQueueJob } from './merge-queue/merge-queue-job.ts'
import type { NotificationJob } from './notifications/notify.ts'
import type { SweepJob } from './sweep/sweep-jobs.ts'

export interface BotQueues {
  deliveries: JobQueue<DeliveryJob>
  mergeRequests: FairQueue<MergeRequestJob>
  mergeQueues: JobQueue<MergeQueueJob>
  scheduledEvaluations: JobQueue<ScheduledEvaluationJob>
  ruleChanges: JobQueue<MergeRequestJob>
  sweeps: JobQueue<SweepJob>
  notifications: JobQueue<NotificationJob>
  chats: JobQueue<ChatJob>
}

/** The queues by their names in queue/queue-names.ts. */
export function createBotQueues(backend: Queues, service: string, now: () => number): BotQueues {
  const byProject = { senderOf: projectOfMergeRequest, now }
  return {
    deliveries: fairQueue(backend.queue<DeliveryJob>(`deliveries-${service}`), { senderOf: projectOfDelivery, now }),
    mergeRequests: fairQueue(mergeRequestQueue(backend, service), byProject),
    mergeQueues: fairQueue(backend.queue<MergeQueueJob>(`merge-queues-${service}`), byProject),
    scheduledEvaluations: backend.queue(`scheduled-evaluations-${service}`),
    ruleChanges: fairQueue(backend.queue<MergeRequestJob>(`rule-changes-${service}`), byProject),
    sweeps: backend.queue(`sweeps-${service}`),
    notifications: backend.queue(`notifications-${service}`),
    chats: backend.queue(`chats-${service}`),
  }
}

/** The merge-request queue for the sweep: what it adds does not count against the project's share. */
export function unsharedMergeRequests(backend: Queues, service: string, now: () => number): JobQueue<MergeRequestJob> {
  return fairQueue(mergeRequestQueue(backend, service), { senderOf: () => undefined, now })
}

const mergeRequestQueue = (backend: Queues, service: string) =>
  backend.queue<MergeRequestJob>(`merge-requests-${service}`)
