// The notes of a merge queue: where each entry is, and why it left.
import type { MergeQueueNote } from '../../journal/types.ts'
import { isVerified } from '../../merge-queue/landing.ts'
import { isSame } from '../../merge-queue/mutable-plan.ts'
import type { LandedAs } from '../../merge-queue/observed.ts'
import { type EntryProgress, type Eta, middleOf, queueProgress } from '../../merge-queue/progress.ts'
import { markdownStyle, progressText, reasonText } from '../../merge-queue/progress-text.ts'
import type {
  Entry,
  EntryRef,
  Landing,
  MergeQueueRecord,
  PastLanding,
  Removal,
  TargetTest,
} from '../../merge-queue/types.ts'
import { removalDetails, removalHelp } from '../../merge-queue/words.ts'
import { findBotNote, withMark } from '../../rules/actions/definition/action-calls.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { noteLeaving, queueNotePurpose } from '../evaluation/entry-calls.ts'
import { ifNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import { entered, type QueueRun } from './queue-run.ts'

const maxNotePages = 5
const mostNamed = 10
/** If there are more entries than these, only those that are tested, removed or landed get a note. */
const mostWaiting = 50
/** A green build waits no longer for notes. */
const notesForMs = 2_000
/** A note that only says another position, or another time, is written no sooner after the last. */
const positionEveryMs = 60_000

interface QueueNote {
  /** The note is written if this changes. */
  about: string
  text: string
  /** What an entry's note says. After a while it is rewritten if the position is half of what it says, or double. */
  entry?: { since: number; position: number; eta?: Eta }
}

/** Throws what client and journal throw. */
export async function noteLanded(run: QueueRun, landing: Landing, landed: LandedAs): Promise<void> {
  const target = markdownStyle.code(run.queue.target)
  const note = isVerified(landing, landed)
    ? { about: 'landed', text: `The merge queue tested it on top of ${target}, and landed it.` }
    : { about: 'landed, not verified', text: unverifiedText(target, landed) }
  for (const { iid } of landing.members) await writeNote(run, iid, note)
}

/** The result of what landed and what somebody pushed just before. Throws what client and journal throw. */
export async function noteTested(
  run: QueueRun,
  { members, commits }: TargetTest & { is: 'landed' },
  isGreen: boolean,
): Promise<void> {
  const [pushed = '', landed = ''] = commits.map(markdownStyle.code)
  const target = markdownStyle.code(run.queue.target)
  const text = isGreen
    ? `The merge queue landed it. Somebody pushed ${pushed} to ${target} just before, so the queue tested the result, which is green.`
    : `The merge queue landed it as ${landed}. Somebody pushed ${pushed} to ${target} just before, and the result is red. The queue is paused until somebody has repaired ${target} and resumes it.`
  for (const { iid } of members) await writeNote(run, iid, { about: `landed, tested, ${isGreen}`, text })
}

function unverifiedText(target: string, { elsewhere, onto, commit }: LandedAs): string {
  if (commit !== undefined)
    return `The merge queue landed it, but somebody pushed ${markdownStyle.code(onto)} to ${target} just before. The queue tests the result before it goes on.`
  const branch = elsewhere === undefined ? target : markdownStyle.code(elsewhere)
  const what =
    elsewhere === undefined
      ? `The merge queue landed it, but ${target} is not what was tested.`
      : `The merge queue merged it into ${branch}, but tested it for ${target}: its target branch was changed in that moment.`
  return `${what} The queue is paused until somebody has checked ${branch} and resumes it.`
}

/**
 * Writes what changed for each entry. False if that took too long, and the queue looks again before the rest. Throws
 * what client and journal throw.
 */
export async function writeNotes(run: QueueRun, record: MergeQueueRecord): Promise<boolean> {
  // One that left meanwhile has its note from its evaluation.
  const isIn = await entered(run)
  const until = run.now() + notesForMs
  for (const { entry, progress } of queueProgress(record, run.entries, run.now())) {
    if (!isIn(entry)) continue
    if (progress.build === undefined && run.entries.length > mostWaiting) continue
    if (run.now() >= until) return false
    await writeNote(run, entry.iid, noteOf(run, entry, progress))
  }
  return true
}

/** Where the service does not see that it landed. Throws what client and journal throw. */
export function noteLandedRebased(run: QueueRun, iid: number, commit: string): Promise<void> {
  const text = `The merge queue tested it on top of ${markdownStyle.code(run.queue.target)}, and landed it rebased: ${commit} is the last commit. The service cannot see that, so Bellhop closes it.`
  return writeNote(run, iid, { about: 'landed', text })
}

/** At once: the entry and its removal are gone soon. Throws what client and journal throw. */
export async function noteRemoval(
  run: QueueRun,
  { member, reason, link, job, at, words }: Removal,
  recent: readonly PastLanding[],
): Promise<void> {
  const pipeline = link === undefined ? '' : ` (${markdownStyle.link('pipeline', link)})`
  const failed = job === undefined ? pipeline : ` (${markdownStyle.link('job', job)})`
  const text = [
    `The merge queue of ${markdownStyle.code(run.queue.target)} removed it: ${removalDetails({ reason, words }, markdownStyle.code)}${failed}.${landedSince(run, member, recent)}`,
    removalHelp[reason],
    'It returns after a push, or when somebody requests it again.',
  ].join(' ')
  await writeNote(run, member.iid, { about: `removed ${reason} ${at}`, text })
}

/**
 * Of those that left while their landing was in the record: their evaluations leave the note to the queue. Called once
 * it is gone from there, as `noteLeaving` throws.
 */
export async function noteGone(run: QueueRun, members: readonly EntryRef[]): Promise<void> {
  const { project, target } = run.queue
  const isIn = await entered(run)
  for (const member of members.filter((each) => !isIn(each)))
    await noteLeaving(run, { project, iid: member.iid }, { ...member, target }, run.claim)
}

/** What it may be red together with, or conflict with: it was mergeable when it entered. */
function landedSince({ entries }: QueueRun, member: EntryRef, recent: readonly PastLanding[]): string {
  const since = entries.find((entry) => isSame(entry, member))?.since
  const landed = recent.filter(({ at }) => since !== undefined && at >= since).flatMap(({ members }) => members)
  const names = landed.slice(0, mostNamed).map(({ iid }) => `!${iid}`)
  const more = landed.length > mostNamed ? ` and ${landed.length - mostNamed} more` : ''
  return names.length === 0 ? '' : ` Since it entered, the queue landed ${names.join(', ')}${more}.`
}

function noteOf(
  { queue, project, prefix, now, isBroken }: QueueRun,
  { since }: Entry,
  { build, ...progress }: EntryProgress,
): QueueNote {
  const state = build?.hasPipeline === true ? 'tested' : 'built'
  const about = [build === undefined ? 'waits' : `${state} ${build.number}`, progress.paused?.reason]
  const waits = progress.waitsFor.filter(({ is }) => is === 'frozen' || is === 'conflict').map(reasonText)
  const { web_url: web } = project ?? {}
  const page = web === undefined ? undefined : `${web}/-/pipelines?ref=${prefix}${build?.number}`
  const whole = build && { ...build, link: build.link ?? page }
  const text = progressText({ ...progress, build: whole }, queue.target, now(), markdownStyle)
  return {
    about: [...about, isBroken ? 'broken' : undefined, ...waits].filter((each) => each !== undefined).join(', '),
    entry: { since, position: progress.position, eta: progress.eta },
    text: `Merge queue: ${text}${isBroken ? ' Nothing lands until the mistakes of the rule file are repaired.' : ''}`,
  }
}

async function writeNote(run: QueueRun, iid: number, { about, text, entry }: QueueNote): Promise<void> {
  const { journal, queue, path, log } = run
  const mergeRequest = { project: queue.project, iid }
  const known = await journal.mergeQueues.note(mergeRequest)
  const at = run.now()
  const isOld = at - (known?.at ?? 0) >= positionEveryMs
  const isWrong = isFar(known?.position, entry?.position) || (known?.said ?? at) < at
  if (known?.about === about && !(isOld && isWrong)) return
  const said = { about, at, ...(entry === undefined ? { eta: known?.eta } : saidOf(entry, known, at)) }
  try {
    const id = known === undefined ? undefined : (known.id ?? (await lostNote(run, iid)))
    // Before the call: if its response is lost, the note is searched for, and not written twice.
    if (id === undefined) await journal.mergeQueues.saveNote(mergeRequest, { about: '' })
    const written = await putNote(run, iid, id, text)
    await journal.mergeQueues.saveNote(mergeRequest, { ...(written === undefined ? {} : { id: written }), ...said })
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    const name = refName({ project: queue.project, iid, path })
    log.info({ event: 'queue_note_not_written', mergeRequest: name, reason: error.message }, 'a note was not written')
    await journal.mergeQueues.saveNote(mergeRequest, { ...known, ...said })
  }
}

/** What is stored of a note about an entry: the first ETA of all, which is compared with the landing. */
function saidOf(
  { since, position, eta }: NonNullable<QueueNote['entry']>,
  known: MergeQueueNote | undefined,
  at: number,
) {
  const first = known?.eta?.since === since ? known.eta : eta && { since, ...eta }
  return { position, eta: first, said: eta && Math.max(middleOf(eta), at) }
}

const isFar = (before: number | undefined, now: number | undefined) =>
  before !== undefined && now !== undefined && (now * 2 <= before || now >= before * 2)

/** The id of the note: a new one if it was deleted. */
async function putNote(run: QueueRun, iid: number, id: number | undefined, text: string): Promise<number | undefined> {
  const { client, queue, claim } = run
  const { notes } = client.mergeRequests
  const note = { id: queue.project, merge_request_iid: iid, body: withMark(text, queueNotePurpose) ?? text }
  const created = async () => {
    const { body } = await notes.create(note, { beforeRequest: claim })
    return 'id' in body && typeof body.id === 'number' ? body.id : undefined
  }
  if (id === undefined) return created()
  const updated = await notes.update({ ...note, note_id: id }, { beforeRequest: claim }).catch(ifNotFound(undefined))
  return updated === undefined ? created() : id
}

/**
 * Why a queue that was never planned must not begin: an entry has a note of a merge queue that the journal does not
 * know. An earlier journal may have had a pause or a freeze. Only where somebody may resume it. Throws what client and
 * journal throw.
 */
export async function unknownPast(
  run: QueueRun,
  { prefix }: Pick<MergeQueueRecord, 'prefix'>,
): Promise<'journal_new' | undefined> {
  if (prefix !== undefined || !run.operator.hasAdmins) return undefined
  for (const { iid } of run.entries.slice(0, mostNamed)) {
    const known = await run.journal.mergeQueues.note({ project: run.queue.project, iid })
    if (known === undefined && (await lostNote(run, iid)) !== undefined) return 'journal_new'
  }
  return undefined
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
  return findBotNote(items, queueNotePurpose, await botUser())?.id
}
