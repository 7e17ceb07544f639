// Records a decision in the journal, the metrics and the log.
import { randomUUID } from 'node:crypto'
import type { MergeRequestChange } from '../../journal/tables/merge-requests.ts'
import { type MergeRequestWaits, waitsAfter } from '../../journal/time-figures.ts'
import type { DecisionRecord, MergeRequestName, PendingEvent } from '../../journal/types.ts'
import { transientFacts } from '../../rules/engine/transient-facts.ts'
import { waitsFor } from '../../rules/explain/waits-for.ts'
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import { isIssue, subjectOf } from '../../rules/facts/definition/subject-ref.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { DecideInput, Decision, MergeRequestOrigin } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { issueName } from '../reporting/issue-name.ts'
import { mergeRequestIn } from './answers-of.ts'

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
  log.info(
    {
      event: 'decided',
      decision: entry.id,
      calls: decision.calls.length,
      matched: decision.rules.filter((rule) => rule.verdict === 'true').map((rule) => rule.name),
      tookMs,
    },
    'decided',
  )
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
