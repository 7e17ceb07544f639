// The names of the queues, as commands, metrics, pages and the admin API show them.

export const queueNames = [
  'deliveries',
  'mergeRequests',
  'mergeQueues',
  'ruleChanges',
  'sweeps',
  'notifications',
  'chats',
] as const

export type QueueName = (typeof queueNames)[number]
