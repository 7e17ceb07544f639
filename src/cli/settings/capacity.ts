// Settings: when deliveries are refused.
import { setting } from './setting.ts'
import { percent, positive, wholeNumber } from './setting-values.ts'

export const capacity = {
  maxBacklog: setting({
    variable: 'BELLHOP_MAX_BACKLOG',
    doc: 'How many deliveries may wait for intake, retries included; further ones are refused (503). /readyz fails above 80 %.',
    default: '100000',
    setWhen: 'hardly anyone',
    read: positive,
  }),
  maxQueueMemory: setting({
    variable: 'BELLHOP_MAX_QUEUE_MEMORY',
    doc: 'Percent of Redis’ maxmemory (of its machine’s memory where it has none) above which deliveries are refused (503). /readyz fails above 80 % of it.',
    default: '90',
    setWhen: 'other programs share the Redis',
    read: percent,
  }),
  minFreeDisk: setting({
    variable: 'BELLHOP_MIN_FREE_DISK',
    doc: 'Megabytes of free disk of an embedded queue below which deliveries are refused (503). /readyz fails below 125 %.',
    default: '256',
    setWhen: 'the disk is small',
    read: wholeNumber,
  }),
} as const
