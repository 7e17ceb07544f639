// Which journal a queue in Redis belongs to: it stores the id of the journal at first use, and is used with no other.
import type { JournalMark } from '../../queue/types.ts'
import { JournalMisconfigured } from '../errors.ts'

interface JournalIdentity {
  /** Undefined: there is no journal yet. */
  id: string | undefined
  /** Where it is, for people: without credentials. */
  place: string
}

/** Throws JournalMisconfigured if the queue has another journal. Changes nothing. */
export async function checkJournal(mark: JournalMark, found: JournalIdentity): Promise<void> {
  const text = await mark.read()
  if (text === undefined) return
  const own = JSON.parse(text) as JournalIdentity
  if (own.id === found.id) return
  const former = own.place.startsWith('embedded:') ? 'the former, which one process alone can use' : 'the former'
  throw new JournalMisconfigured(
    `The journal of this queue is ${named(own)}, not ${named(found)}: set BELLHOP_JOURNAL_URL to ${former}, or give ` +
      `this process a queue of its own (BELLHOP_QUEUE_URL). Where the former is lost, delete the key ${mark.key} in Redis.`,
  )
}

/** Stores the id of the journal in a queue that has none. Throws as `checkJournal`. */
export async function claimJournal(mark: JournalMark, journal: JournalIdentity): Promise<void> {
  await mark.writeOnce(JSON.stringify(journal))
  await checkJournal(mark, journal)
}

const named = ({ id, place }: JournalIdentity) =>
  id === undefined ? `the one at ${place}, which is empty` : `${id} at ${place}`
