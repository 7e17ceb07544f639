// Settings: when deliveries are refused.
import { percent, positive, setting } from './setting.ts'

/** Megabytes of free disk of an embedded database below which deliveries are refused. /readyz fails below 125 %. */
export const LEAST_FREE_DISK = 256

export const capacity = {
  maxBacklog: setting({
    variable: 'BELLHOP_MAX_BACKLOG',
    doc: 'How many deliveries may wait for intake, retries included; further ones are refused (503). /readyz fails above 80 %.',
    default: '100000',
    setWhen: 'larger bursts of deliveries must be accepted',
    read: positive,
  }),
  maxQueueMemory: setting({
    variable: 'BELLHOP_MAX_QUEUE_MEMORY',
    doc: 'Percent of Redis’ maxmemory (of its machine’s memory where it has none) above which deliveries are refused (503). /readyz fails above 80 % of it.',
    default: '90',
    setWhen: 'other programs share the Redis',
    read: percent,
  }),
} as const
