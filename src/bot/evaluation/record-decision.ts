// Records a decision in the journal, the metrics and the log, and what is remembered of it.
import { randomUUID } from 'node:crypto'
import type { MergeRequestChange } from '../../journal/tables/merge-requests.ts'
import type { DecisionRecord, MergeRequestName, PendingEvent } from '../../journal/types.ts'
import { transientFacts } from '../../rules/backtest/past-facts.ts'
import { remembersRebase } from '../../rules/engine/memory/follow-rebase.ts'
import { holdsAnything, keepsAnything, remember } from '../../rules/engine/update-memory.ts'
import { waitsFor } from '../../rules/explain/explain.ts'
import { type MergeRequestWaits, waitsAfter } from '../../rules/explain/time-figures.ts'
import { withOldApprovals } from '../../rules/facts/definition/consent.ts'
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import { isIssue, isProject, subjectOf } from '../../rules/facts/definition/subject-ref.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { CallResponse, DecideInput, Decision, Memory, MergeRequestOrigin } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { issueName } from '../reporting/names.ts'
import { mergeRequestIn } from './answers.ts'
import type { DecisionWithFacts } from './fetch-facts.ts'

/** `unseenSince`: milliseconds since 1970. */
export interface Circumstances extends Omit<MergeRequestChange, 'name' | 'origin' | 'changesAt'> {
  pendingEvents: PendingEvent[]
  /** One evaluation may make several decisions. */
  evaluation: string
  tookMs: number
  unseenSince?: number | undefined
}

/** Throws JournalUnavailable. */
export async function recordDecision(
  { journal, counting, now, log }: Context,
  input: DecideInput,
  decision: Decision,
  { pendingEvents, evaluation, tookMs, unseenSince, ...parts }: Circumstances,
): Promise<void> {
  const facts = transientFacts(input)
  const replayOf = pendingEvents.flatMap(({ replay }) => (replay === undefined ? [] : [replay]))
  const entry: DecisionRecord = {
    ...decision,
    id: randomUUID(),
    mergeRequest: input.mergeRequest,
    at: new Date(now()).toISOString(),
    evaluation,
    deliveries: deliveryIds(pendingEvents),
    replayOf: replayOf.length === 0 ? undefined : replayOf,
    tookMs,
    waitedMs: unseenSince === undefined ? undefined : now() - unseenSince,
    facts: Object.keys(facts).length === 0 ? undefined : facts,
  }
  await journal.decisions.save(entry, { ...parts, name: nameIn(input), origin: originIn(input) })
  counting?.decision(entry)
  const matched = decision.rules.filter((rule) => rule.verdict === 'true').map((rule) => rule.name)
  log.info({ event: 'decided', decision: entry.id, calls: decision.calls.length, matched, tookMs }, 'decided')
}

/** What a merge request waited for, and waits for from now on according to a decision; undefined for an issue. */
export function waitsOf(
  input: DecideInput,
  decision: Decision,
  { before, now }: { before: MergeRequestWaits; now: number },
): MergeRequestWaits | undefined {
  if (subjectOf(input.mergeRequest) !== 'merge_request') return undefined
  return waitsAfter(before, { at: now, waitsFor: waitsFor(input, decision), bot: input.bot.username })
}

/** Where a merge request comes from; undefined for an issue, and if it was not read. */
function originIn(input: DecideInput): MergeRequestOrigin | undefined {
  const { source_project_id: project, source_branch: branch, author } = mergeRequestIn(input)
  if (typeof project !== 'number' || typeof branch !== 'string') return undefined
  const username = isMap(author) ? author.username : undefined
  return { project, branch, author: typeof username === 'string' ? username : undefined }
}

/** As the service names it; undefined if it was not read. */
function nameIn(input: DecideInput): MergeRequestName | undefined {
  const { title, web_url: url, confidential } = mergeRequestIn(input)
  if (isIssue(input.mergeRequest)) return isRead(input) ? issueName({ title, url, confidential }) : undefined
  return typeof title === 'string' && typeof url === 'string' ? { title, url } : undefined
}

const isRead = ({ answers }: DecideInput) => answers[mergeRequestSource]?.ok === true

/** A replay is no event for rules. */
export const withoutReplays = (events: PendingEvent[]) => events.filter(({ replay }) => replay === undefined)

/** Without replays, each once. */
export const deliveryIds = (events: PendingEvent[]) => [
  ...new Set(withoutReplays(events).map((each) => each.deliveryId)),
]

/**
 * The memory after the responses to the calls of a decision; whether any event may end something of it, whether it is
 * needed no longer, and whether the merge request ended (undefined if it was not read). `merged`: one of them merged it.
 */
export function remembered(
  { decision, input }: DecisionWithFacts,
  responses: readonly CallResponse[],
  waits: Memory['waits'],
  merged = false,
) {
  const state = merged ? 'merged' : mergeRequestIn(input).state
  const made = remember(input.memory, { ...decision, responses: [...responses] })
  const after = withOldApprovals(made, input.answers, input.bot)
  const memory = { ...after, ...(waits === undefined ? {} : { waits }) }
  return {
    memory,
    keeps: merged ? holdsAnything(memory) : keepsAnything(memory),
    over: isOver(state, memory) || isUnread(input, memory),
    ended: state === undefined ? undefined : state === 'merged' || state === 'closed',
  }
}

/** A closed one may be reopened: its memory stays while something may have to be withdrawn, or it tells of a rebase. */
function isOver(state: unknown, memory: Memory): boolean {
  return state === 'merged' || (state === 'closed' && !holdsAnything(memory) && !remembersRebase(memory))
}

/** No rule read its state, so it may be merged already. */
function isUnread({ answers, mergeRequest }: DecideInput, memory: Memory): boolean {
  return (
    !(mergeRequestSource in answers) && !isProject(mergeRequest) && !keepsAnything(memory) && !remembersRebase(memory)
  )
}
