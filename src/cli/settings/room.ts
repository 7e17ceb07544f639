// Settings of when deliveries are turned down.
import { percent, positive, wholeNumber } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const room = {
  maxBacklog: setting({
    variable: 'BELLHOP_MAX_BACKLOG',
    flag: '--max-backlog',
    doc: 'How many deliveries may wait to be read, those that are tried again among them; beyond that they are turned down (503). /readyz ends at 80 % of it.',
    default: '100000',
    neededBy: 'hardly anybody',
    read: positive,
  }),
  maxBacklogSize: setting({
    variable: 'BELLHOP_MAX_BACKLOG_SIZE',
    flag: '--max-backlog-size',
    doc: 'How many megabytes of deliveries may wait to be read, as the queue keeps them; beyond that they are turned down (503). /readyz ends at 80 % of it.',
    default: '2000',
    neededBy: 'who has a small Redis or disk',
    read: positive,
  }),
  maxQueueMemory: setting({
    variable: 'BELLHOP_MAX_QUEUE_MEMORY',
    flag: '--max-queue-memory',
    doc: 'Percent of Redis’ maxmemory (of its machine’s memory where it has none) beyond which deliveries are turned down (503). /readyz ends at 80 % of it.',
    default: '90',
    neededBy: 'who shares a Redis with other programs',
    read: percent,
  }),
  minFreeDisk: setting({
    variable: 'BELLHOP_MIN_FREE_DISK',
    flag: '--min-free-disk',
    doc: 'Megabytes on the disk of an embedded queue below which deliveries are turned down (503). /readyz ends at a quarter more.',
    default: '256',
    neededBy: 'who has a small disk',
    read: wholeNumber,
  }),
} as const
