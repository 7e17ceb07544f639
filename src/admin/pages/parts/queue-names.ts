// The titles of the queues.
import type { QueueName } from '../../admin-context.ts'

const texts: Record<QueueName, string> = {
  deliveries: 'Deliveries',
  mergeRequests: 'Merge requests',
  ruleChanges: 'Rule changes',
  sweeps: 'Sweeps',
  scheduledEvaluations: 'Scheduled evaluations',
  notifications: 'Notifications',
}

/** The name itself if there is no such queue. */
export const queueTitle = (queue: string): string =>
  Object.entries(texts).find(([name]) => name === queue)?.[1] ?? queue
