// Reads from the service what hooks would have delivered since the last run: notes, labels, ends and pipelines; each
// event once, in order. A note in which Bellhop acted, and which this journal does not know, ends all before it: a run
// whose journal is lost has processed them.
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { parseTime } from '../../rules/facts/definition/service-values.ts'
import { isIssue, numberOf } from '../../rules/facts/definition/subject-ref.ts'
import { commandsIn } from '../../rules/language/commands/comment-commands.ts'
import { isFor } from '../../rules/language/events.ts'
import type { MergeRequestRef, StandingRequest } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { readDelivery } from '../intake/read-delivery.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import type { BotUser } from '../service/bot-token.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import {
  type EventSubject,
  iidOf,
  type ListedLabelEvent,
  type ListedNote,
  type ListedPipeline,
  labelEvent,
  noteEvent,
  pipelineEvent,
  type SeenEvent,
  stateEvent,
} from './event-bodies.ts'
import type { ListedEntry } from './sweep-lists.ts'

/** Pages of 100 entries: what is older waits for no run. */
const maxPages = 5
/** Without a journal, commands count for so long: what came before was said to somebody else. */
const firstLookBackMs = 24 * 60 * 60_000

/** All times in milliseconds since 1970, by the service's clock. */
export interface EventReading {
  project: number
  path: string
  rules: Pick<RulesInForce, 'files'>
  /** When the last run began to read; undefined if the journal knows of none: then only commands count. */
  since: number | undefined
  /** When it ended: the journal knows of what Bellhop did until then. */
  knownUntil: number
  now: number
  dryRun: boolean
  /** The merge requests by their heads, as far as they were read. */
  heads: Map<string, number>
  /** Those that changed since then, newest first. */
  pipelines: { items: ListedPipeline[]; complete: boolean }
  /** Set where Bellhop did what the journal does not know of. */
  isBehind: boolean
}

/** Makes the new events of one merge request or issue pending. Throws what client, journal and queue throw. */
export async function readEvents(context: Context, reading: EventReading, entry: ListedEntry): Promise<void> {
  const { project, path, since } = reading
  const { iid } = entry
  if (iid === undefined) return
  const subject: EventSubject = { ref: { project, iid }, path, entry }
  knowHead(reading, entry)
  const bot = await context.botUser()
  const isUpdated = mayHaveEvents(reading, entry)
  const shown = isUpdated ? [...endsOf(subject, bot), ...(await labelsOf(context, reading, subject, bot))] : []
  const others = since === undefined ? [] : shown.filter(({ at }) => at > since)
  const waits = (await context.journal.mergeRequests.memory(subject.ref))?.standing !== undefined
  if ((!isUpdated || (others.length === 0 && entry.user_notes_count === 0)) && !waits) return
  const from = since ?? reading.now - firstLookBackMs
  const { notes, complete } = await notesOf(context, subject.ref, from)
  const actedAt = Math.max(...notes.map((note) => lastAct(note, bot)).filter((at) => at > reading.knownUntil), 0)
  if (actedAt > 0) reading.isBehind = true
  const said = (complete ? notes : []).flatMap((note): SeenEvent[] => {
    const at = parseTime(note.created_at)
    if (at === undefined || note.id === undefined || note.system === true || note.author?.id === bot.id) return []
    const isCommand = commandsIn(note.body ?? '', bot.username).length > 0
    // Somebody else may have edited it.
    if (isCommand && (parseTime(note.updated_at) ?? at) > at) return []
    // What is no command may have been processed without a trace.
    return since !== undefined || isCommand ? [noteEvent(subject, note, at)] : []
  })
  const events = [...others, ...said].filter(({ at }) => at > Math.max(from, actedAt)).sort((a, b) => a.at - b.at)
  if (events.length === 0 && !waits) return
  const heads = isIssue(subject.ref) ? [] : await headsOf(context, subject.ref)
  // What was requested may have been done or cancelled by a run whose journal is lost. Fails closed: ask again.
  const endsAll = actedAt > 0 || !complete
  if (waits)
    await endRequests(context, subject.ref, (request) => endsAll || hasMoved(subject.ref, request, heads, notes))
  for (const event of events) {
    const then = { head: headAt(heads, event.at), target: targetAt(notes, event.at) }
    await add(context, subject.ref, event, { body: event.body(then), dryRun: reading.dryRun })
  }
}

/** A pipeline of a branch is of the merge request with its head, which the journal may not know yet. */
export function knowHead({ heads }: EventReading, { iid = 0, sha }: ListedEntry): void {
  if (iid > 0 && typeof sha === 'string') heads.set(sha, iid)
}

/** Notes, labels and ends move `updated_at`. */
export function mayHaveEvents({ since, now }: EventReading, entry: ListedEntry): boolean {
  if (since === undefined && entry.user_notes_count === 0) return false
  return (parseTime(entry.updated_at) ?? Number.POSITIVE_INFINITY) > (since ?? now - firstLookBackMs)
}

/** Reads which pipelines changed; before the merge requests. Throws what the client throws. */
export async function listPipelines({ client }: Context, reading: EventReading): Promise<void> {
  const { project: id, since } = reading
  if (since === undefined) return
  const updated_after = new Date(since).toISOString()
  const pages = client.pages(client.repository.pipelines.list, { id, updated_after, per_page: 100 }, { maxPages })
  try {
    reading.pipelines = await pages.collect()
  } catch (error) {
    // A project may have turned pipelines off.
    if (!isPermanentRefusal(error)) throw error
  }
}

/** Whether the list of pipelines shows that none of its own changed. */
export function hasSamePipelines({ pipelines }: EventReading, { sha, iid }: ListedEntry): boolean {
  const isListed = pipelines.complete && typeof sha === 'string'
  return isListed && pipelines.items.every((each) => each.sha !== sha && iidOf(each) !== iid)
}

/**
 * Makes the last states of these pipelines pending, if a rule waits for one; after the merge requests, whose heads name
 * them. Throws as `readEvents`.
 */
export async function readPipelines(context: Context, reading: EventReading): Promise<void> {
  const { project: id, path, since = 0, dryRun, pipelines } = reading
  if (dryRun || !filtersOf(reading).some(({ kind }) => kind.startsWith('pipeline.'))) return
  for (const pipeline of pipelines.items.toReversed()) {
    const at = parseTime(pipeline.updated_at) ?? 0
    const event = pipelineEvent({ id, path, iid: reading.heads.get(pipeline.sha ?? '') ?? 0 }, pipeline, at)
    if (at > since) await add(context, { project: id, iid: 0 }, event, { body: event.body({}), dryRun })
  }
}

/** What rules wait for. */
const filtersOf = ({ rules }: Pick<EventReading, 'rules'>) =>
  rules.files.flatMap((file) => file.rules.rules.flatMap(({ on }) => on ?? []))

/** That it was opened, closed or merged, but by Bellhop itself. */
function endsOf(subject: EventSubject, bot: BotUser): SeenEvent[] {
  const { created_at, closed_at, merged_at, author, closed_by, merge_user, merged_by } = subject.entry
  const all = [
    { action: 'open', user: author, time: created_at },
    { action: 'close', user: closed_by, time: closed_at },
    { action: 'merge', user: merge_user ?? merged_by, time: merged_at },
  ] as const
  return all.flatMap(({ action, user, time }) => {
    const at = parseTime(time)
    return at === undefined || (action !== 'open' && user?.id === bot.id)
      ? []
      : [stateEvent(subject, { action, user, at })]
  })
}

async function labelsOf(
  { client }: Context,
  reading: EventReading,
  subject: EventSubject,
  bot: BotUser,
): Promise<SeenEvent[]> {
  const { ref } = subject
  const kind = isIssue(ref) ? 'issue.update' : 'merge_request.update'
  const isAwaited = isFor(filtersOf(reading), { kind, changed: ['labels'], actor: {}, at: '' })
  if (reading.since === undefined || !isAwaited) return []
  const pages = isIssue(ref)
    ? client.pages(client.issues.labelEvents.list, paramsOfIssue(ref), { maxPages })
    : client.pages(client.mergeRequests.labelEvents.list, paramsOf(ref), { maxPages })
  const events: ListedLabelEvent[] = (await pages.collect()).items
  return events.flatMap((event) => {
    const at = parseTime(event.created_at)
    return at === undefined || !event.label || event.user?.id === bot.id ? [] : [labelEvent(subject, event, at)]
  })
}

const paramsOf = ({ project, iid }: MergeRequestRef) => ({ id: project, merge_request_iid: iid, per_page: 100 })
const paramsOfIssue = (ref: MergeRequestRef) => ({ id: ref.project, issue_iid: numberOf(ref), per_page: 100 })

/** Those that were written or changed after `from`, newest first. */
async function notesOf({ client }: Context, ref: MergeRequestRef, from: number) {
  const order = { order_by: 'updated_at', sort: 'desc' } as const
  const pages = isIssue(ref)
    ? client.pages(client.issues.notes.list, { ...paramsOfIssue(ref), ...order }, { maxPages })
    : client.pages(client.mergeRequests.notes.list, { ...paramsOf(ref), ...order }, { maxPages })
  const notes: ListedNote[] = []
  let complete = false
  for await (const page of pages) {
    notes.push(...page.body)
    complete = page.complete || page.body.some((note) => (parseTime(note.updated_at) ?? 0) <= from)
    if (complete) break
  }
  return { notes, complete }
}

const BOT_MARK = /<!-- bellhop:[\w-]+ -->\s*$/
const TIME_SPENT = /^(?:added|subtracted) .* of time spent/

/** When Bellhop wrote or changed the note, or spent time; else 0. Other programs may have the same user. */
function lastAct({ author, body = '', system, created_at, updated_at }: ListedNote, bot: BotUser): number {
  const isAct = author?.id === bot.id && (system === true ? TIME_SPENT : BOT_MARK).test(body)
  return isAct ? (parseTime(updated_at) ?? parseTime(created_at) ?? 0) : 0
}

/**
 * Whether it was pushed to or got another target branch after the request: an older journal does not know of that. Its
 * head must be the newest one, and must not have come back. Bellhop's own rebase gives the request another head.
 */
function hasMoved(
  ref: MergeRequestRef,
  { head, occurrence }: StandingRequest,
  heads: readonly Head[],
  notes: readonly ListedNote[],
): boolean {
  const isPushed = heads.findLastIndex((each) => each.head === head) !== 0
  return (!isIssue(ref) && isPushed) || targetAt(notes, parseTime(occurrence.event.at) ?? 0) !== undefined
}

async function endRequests(
  { journal }: Context,
  ref: MergeRequestRef,
  isOver: (request: StandingRequest) => boolean,
): Promise<void> {
  const { standing = [], ...memory } = (await journal.mergeRequests.memory(ref)) ?? emptyMemory()
  const left = standing.filter((request) => !isOver(request))
  if (left.length === standing.length) return
  await journal.mergeRequests.save(ref, { memory: left.length === 0 ? memory : { ...memory, standing: left } })
}

type Head = { head: string; at: number }

/** Its heads, newest first. Fails closed: one that is unknown counts as another than that of an event. */
async function headsOf({ client }: Context, { project, iid }: MergeRequestRef): Promise<Head[]> {
  const params = { id: String(project), merge_request_iid: iid, per_page: 100 }
  try {
    const { items, complete } = await client.pages(client.mergeRequests.versions.list, params, { maxPages }).collect()
    return (complete ? items : []).flatMap(({ head_commit_sha: head, created_at }) => {
      const at = parseTime(created_at)
      return typeof head === 'string' && at !== undefined ? [{ head, at }] : []
    })
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    return []
  }
}

const NO_HEAD = '0'.repeat(40)
const secondOf = (ms: number) => Math.floor(ms / 1000)

/** The newest head that is certainly older than the event; for the first one, that of the opening. */
function headAt(heads: readonly Head[], at: number): string {
  return (heads.find((each) => secondOf(each.at) < secondOf(at)) ?? heads.at(-1))?.head ?? NO_HEAD
}

/** By a person, or by the service when the earlier target was deleted. */
const RETARGETED =
  /^(?:changed target branch from `(?<old>.+)` to `.+`|deleted the `(?<gone>.+)` branch\. This merge request now targets the `.+` branch)$/

/** The target branch before the first change that may have followed the event; undefined: the present one. */
function targetAt(notes: readonly ListedNote[], at: number): string | undefined {
  const later = notes.flatMap(({ system, body = '', created_at }) => {
    const { old, gone: from = old } = (system === true && RETARGETED.exec(body)?.groups) || {}
    const then = parseTime(created_at) ?? 0
    return from !== undefined && then >= at ? [{ from, then }] : []
  })
  return later.sort((a, b) => a.then - b.then)[0]?.from
}

async function add(
  { queues, journal }: Context,
  ref: MergeRequestRef,
  { id, at, header }: SeenEvent,
  { body: given, dryRun }: { body: object; dryRun: boolean },
): Promise<void> {
  const body = JSON.stringify(given)
  const receivedAt = new Date(at).toISOString()
  if (!dryRun) {
    await queues.deliveries.add({ data: { is: 'delivery', receivedAt, header, body }, id })
    return
  }
  const read = readDelivery(body, receivedAt)
  if (read.ok) await journal.events.add(ref, { deliveryId: id, event: read.summary.event })
}
