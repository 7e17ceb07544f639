// The note of a merge request about the merge queue: one, edited in place (merge-queue.md §5).
import type { MergeQueueEntry } from '../../journal/types.ts'
import { isSame, membersOf } from '../../merge-queue/draft.ts'
import type { EntryRef, MergeQueueRecord, Removal } from '../../merge-queue/types.ts'
import { removalText } from '../../merge-queue/words.ts'
import { findBotNote, withMark } from '../../rules/actions/definition/bot-note.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import type { QueueRun } from './queue-run.ts'

const purpose = 'merge queue'
const maxNotePages = 5
/** Of more entries than these, only those that are tested, removed or landed get a note. */
const mostWaiting = 50
const mostNamed = 10

interface QueueNote {
  /** The note is written where this changes: not for each place that it moves. */
  about: string
  text: string
}

/** Writes what changed for each entry, and for what this run landed. Throws what client and journal throw. */
export async function writeNotes(run: QueueRun, record: MergeQueueRecord, landed: readonly EntryRef[]): Promise<void> {
  const text = `The merge queue tested it on top of \`${run.queue.target}\`, and landed it.`
  for (const { iid } of landed) await writeNote(run, iid, { about: 'landed', text })
  const isOver = (entry: EntryRef) => record.recent.some(({ members }) => members.some((each) => isSame(each, entry)))
  for (const entry of run.entries) {
    const note = isOver(entry) ? undefined : noteOf(run, record, entry)
    if (note !== undefined) await writeNote(run, entry.iid, note)
  }
}

/** Where the service does not see that it landed. Throws what client and journal throw. */
export function noteLandedRebased(run: QueueRun, iid: number, commit: string): Promise<void> {
  const text = `The merge queue tested it on top of \`${run.queue.target}\`, and landed it rebased: ${commit} is the last commit. The service cannot see that, so Bellhop closes it.`
  return writeNote(run, iid, { about: 'landed', text })
}

/** At once: the entry and its removal are gone soon. Throws what client and journal throw. */
export async function noteRemoval(run: QueueRun, { member, reason, link: url, at }: Removal): Promise<void> {
  const link = url === undefined ? '' : ` ([pipeline](${url}))`
  const text = `The merge queue of \`${run.queue.target}\` removed it: ${removalText[reason]}${link}. It returns after a push, or when somebody requests it again.`
  await writeNote(run, member.iid, { about: `removed ${reason} ${at}`, text })
}

function noteOf(run: QueueRun, { removals, builds }: MergeQueueRecord, entry: MergeQueueEntry): QueueNote | undefined {
  const target = `\`${run.queue.target}\``
  // Written when it was removed.
  if (removals.some(({ member }) => isSame(member, entry))) return undefined
  const place = builds.findIndex(({ members }) => members.some((member) => isSame(member, entry)))
  if (place !== -1) {
    const others = membersOf(builds.slice(0, place + 1)).filter((member) => !isSame(member, entry))
    const text = `In the merge queue of ${target}: it is tested${togetherWith(others)}.`
    return { about: 'tested', text }
  }
  if (run.entries.length > mostWaiting) return undefined
  const until = entry.frozen ? 'until a freeze ends' : 'for its turn'
  return { about: `waits ${until}`, text: `In the merge queue of ${target}: it waits ${until}.` }
}

function togetherWith(others: readonly EntryRef[]): string {
  if (others.length === 0) return ''
  const named = others.slice(0, mostNamed).map(({ iid }) => `!${iid}`)
  const more = others.length - named.length
  return ` together with ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

async function writeNote(run: QueueRun, iid: number, { about, text }: QueueNote): Promise<void> {
  const { journal, queue, log } = run
  const mergeRequest = { service: queue.service, project: queue.project, iid }
  const known = await journal.mergeQueueNote(mergeRequest)
  if (known?.about === about) return
  try {
    const id = known === undefined ? undefined : (known.id ?? (await lostNote(run, iid)))
    // Before the call: where its response is lost, the note is searched for, and not written twice.
    if (id === undefined) await journal.saveMergeQueueNote(mergeRequest, { about: '' })
    const written = await putNote(run, iid, id, text)
    await journal.saveMergeQueueNote(mergeRequest, { ...(written === undefined ? {} : { id: written }), about })
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    log.info({ event: 'queue_note_not_written', iid, reason: error.message }, 'a note was not written')
    await journal.saveMergeQueueNote(mergeRequest, { ...known, about })
  }
}

/** The id of the note: a new one where it was deleted. */
async function putNote(run: QueueRun, iid: number, id: number | undefined, text: string): Promise<number | undefined> {
  const { client, queue, claim } = run
  const { notes } = client.mergeRequests
  const note = { id: queue.project, merge_request_iid: iid, body: withMark(text, purpose) ?? text }
  const created = async () => {
    const { body } = await notes.create(note, { beforeRequest: claim })
    return 'id' in body && typeof body.id === 'number' ? body.id : undefined
  }
  if (id === undefined) return created()
  try {
    await notes.update({ ...note, note_id: id }, { beforeRequest: claim })
    return id
  } catch (error) {
    if (!isNotFound(error)) throw error
    return created()
  }
}

/** The note whose creation got no response. */
async function lostNote({ client, queue, botUser }: QueueRun, iid: number): Promise<number | undefined> {
  const { items } = await client
    .pages(
      client.mergeRequests.notes.list,
      { id: queue.project, merge_request_iid: iid, per_page: 100 },
      { maxPages: maxNotePages },
    )
    .collect()
  return findBotNote(items, purpose, await botUser())?.id
}
