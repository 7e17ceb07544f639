// Settings: queue and journal.
import { journalDirectory, readJournalUrl } from '../../journal/database/journal-url.ts'
import { isRedisUrl, readRedisUrl } from '../../queue/redis/target.ts'
import { percent, positive, setting, upTo999 } from './setting.ts'

function queueAddress(text: string): string {
  if (isRedisUrl(text)) readRedisUrl(text)
  else if (!/^(embedded:.+|postgres(ql)?:\/\/.+)$/s.test(text))
    throw new Error('embedded:DIR, redis://…, redis+sentinel://… or postgres://…')
  return text
}

/** An address of Redis is refused in settings.ts, which says what to do. */
function journalAddress(text: string): string {
  if (text !== '' && !isRedisUrl(text) && journalDirectory(text) === undefined) readJournalUrl(text)
  return text
}

export const queue = {
  queueUrl: setting('BELLHOP_QUEUE_URL', queueAddress, {
    flag: '--queue',
    doc: 'Queue, and the journal where it is no Redis: embedded:DIR, redis://…, redis+sentinel://HOST:26379,HOST:26379/MASTER_NAME or postgres://…; rediss instead of redis: TLS.',
    default: 'embedded:.bellhop',
    secret: true,
    setWhen: 'several processes share the work: redis://…',
  }),
  journalUrl: setting('BELLHOP_JOURNAL_URL', journalAddress, {
    doc: 'Journal next to a queue in Redis: embedded:DIR, for one process, or postgres://USER:PASSWORD@HOST/DATABASE, with ?schema=NAME for tables of its own; embedded:.bellhop by default. Every other queue has the journal in its own database.',
    secret: true,
    setWhen:
      'the queue is in Redis, and several processes share the work, or a power failure may lose nothing: postgres://…',
  }),
  historyDays: setting('BELLHOP_HISTORY_DAYS', upTo999, {
    doc: 'How many days deliveries and decisions are stored; a project that sent nothing for that long is swept only where a rule file says so.',
    default: '30',
    setWhen: 'records must be kept longer, or storage is small',
  }),
  historyCount: setting('BELLHOP_HISTORY_COUNT', positive, {
    doc: 'How many deliveries, and how many decisions, are stored at most; the oldest are deleted first.',
    default: '500000',
    setWhen: 'storage is small, or a month has more',
  }),
  bodyRetentionHours: setting('BELLHOP_BODY_RETENTION_HOURS', upTo999, {
    doc: 'How many hours the raw body of a delivery is stored; it may hold CI variables. Without it, a delivery that concerned no merge request cannot be replayed.',
    default: '24',
    setWhen: 'bodies must be deleted sooner, or replays must be possible for longer',
  }),
} as const

/** Megabytes of free disk of an embedded database below which deliveries are refused. /readyz fails below 125 %. */
export const LEAST_FREE_DISK = 256

export const capacity = {
  maxBacklog: setting('BELLHOP_MAX_BACKLOG', positive, {
    doc: 'How many deliveries may wait for intake, retries included; further ones are refused (503). /readyz fails above 80 %.',
    default: '100000',
    setWhen: 'larger bursts of deliveries must be accepted',
  }),
  maxQueueMemory: setting('BELLHOP_MAX_QUEUE_MEMORY', percent, {
    doc: 'Percent of Redis’ maxmemory (of its machine’s memory where it has none) above which deliveries are refused (503). /readyz fails above 80 % of it.',
    default: '90',
    setWhen: 'other programs share the Redis',
  }),
} as const
