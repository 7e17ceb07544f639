// To which journal a queue in Redis belongs: it stores the id of the journal at first use, and is used with no other.
import type { RedisStore } from '../queue/types.ts'
import { JournalMisconfigured } from './errors.ts'

export interface JournalIdentity {
  /** Undefined: there is no journal yet. */
  id: string | undefined
  /** Where it is, for people: without credentials. */
  place: string
}

/** The journal that is stored in the Redis of its queue. */
export const journalInRedis: JournalIdentity = { id: 'redis', place: 'Redis' }

/** Throws JournalMisconfigured where the queue has another journal. Changes nothing. */
export async function checkJournal({ redis, prefix }: RedisStore, found: JournalIdentity): Promise<void> {
  const text = await redis.get(keyOf(prefix))
  if (text === null) return
  const own = JSON.parse(text) as JournalIdentity
  if (own.id === found.id) return
  const change =
    own.id === journalInRedis.id ? 'leave BELLHOP_JOURNAL_URL out' : 'set BELLHOP_JOURNAL_URL to the former'
  throw new JournalMisconfigured(
    `The journal of this queue is ${named(own)}, not ${named(found)}: ${change}, or give this process a queue of its ` +
      `own (BELLHOP_QUEUE_URL). Where the former is lost, delete the key ${keyOf(prefix)} in Redis.`,
  )
}

/** Makes the journal that of a queue which has none. Throws as `checkJournal`. */
export async function claimJournal(queue: RedisStore, journal: JournalIdentity): Promise<void> {
  await queue.redis.set(keyOf(queue.prefix), JSON.stringify(journal), 'NX')
  await checkJournal(queue, journal)
}

const keyOf = (prefix: string) => `${prefix}:journal:id`

function named({ id, place }: JournalIdentity): string {
  if (id === journalInRedis.id) return 'the one in Redis'
  return id === undefined ? `the one at ${place}, which is empty` : `${id} at ${place}`
}
