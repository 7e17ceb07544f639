// Time figures: what is stored about one merge request as things happen to it, and the times that follow from it.
import { type WaitingCause, waitingCauseNames } from '../language/values/rule-types.ts'
import type { Event } from '../types.ts'

/** What somebody did, and when, in milliseconds since 1970. */
interface Act {
  at: number
  by: string
}

/** When people did something to a merge request, according to deliveries. Milliseconds since 1970. */
export interface MergeRequestActs {
  /** The opening, by its author; absent if Bellhop did not see it. */
  opened?: Act
  /** The first note or approval of each of the first people. */
  reviews: Act[]
  /** The first approval of each of the first people. */
  approvals: Act[]
  merged?: number
}

/** What a merge request waited for, according to its evaluations. */
export interface MergeRequestWaits {
  /** Each from its start (milliseconds since 1970) to the next, in order of time; `for` absent: none of the causes. */
  waits: { at: number; for?: WaitingCause }[]
  /** The user name of Bellhop’s own user; absent before the first evaluation. */
  bot?: string
}

export type MergeRequestTimes = MergeRequestActs & MergeRequestWaits

/** Enough: one of three people is neither its author nor Bellhop. */
const MOST_PEOPLE = 3
/** After so many changes of the cause, no more time counts for any. */
const MOST_WAITS = 200

export const noActs: MergeRequestActs = { reviews: [], approvals: [] }

// Users of access tokens and service accounts, and who is called a bot (GitLab docs:
// user/project/settings/project_access_tokens, user/profile/service_accounts).
const BOT = /^(?:project|group)_\d+_bot(?:_|$)|^service_account_|[-_.]bot$|\[bot\]$/i

/** The acts after an event; undefined if it changes nothing. Deliveries may come in any order, and more than once. */
export function actsAfter(before: MergeRequestActs = noActs, event: Event): MergeRequestActs | undefined {
  const at = Date.parse(event.at)
  if (!tellsTimes(event) || !Number.isFinite(at)) return undefined
  const by = event.actor.username ?? `#${event.actor.id ?? 0}`
  const after = BY_KIND[event.kind]?.(before, { at, by: by.slice(0, 255) })
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : after
}

/** Whether an event may change the times. Issues have none. */
export const tellsTimes = ({ kind, iid = 0 }: Event) => iid > 0 && Object.hasOwn(BY_KIND, kind)

type Apply = (before: MergeRequestActs, act: Act) => MergeRequestActs

const review: Apply = (before, act) => ({ ...before, reviews: withAct(before.reviews, act) })
const approve: Apply = (before, act) => ({ ...review(before, act), approvals: withAct(before.approvals, act) })

const BY_KIND: Record<string, Apply> = {
  'merge_request.open': (before, act) =>
    before.opened !== undefined && before.opened.at <= act.at ? before : { ...before, opened: act },
  'note.create': review,
  // The first is any approval, the second the last one that is required.
  'merge_request.approval': approve,
  'merge_request.approved': approve,
  'merge_request.merge': (before, { at }) => ({ ...before, merged: Math.min(at, before.merged ?? at) }),
}

/** The earliest act of each of the first people, without bots. */
function withAct(acts: readonly Act[], act: Act): Act[] {
  if (BOT.test(act.by)) return [...acts]
  const own = acts.find(({ by }) => by === act.by)
  const earliest = own !== undefined && own.at <= act.at ? own : act
  const others = acts.filter(({ by }) => by !== act.by)
  return [...others, earliest].sort((a, b) => a.at - b.at || (a.by < b.by ? -1 : 1)).slice(0, MOST_PEOPLE)
}

/** What it waits for from `at` on, in milliseconds since 1970. */
export function waitsAfter(
  { waits }: MergeRequestWaits,
  { at, waitsFor: cause, bot }: { at: number; waitsFor: WaitingCause | undefined; bot: string },
): MergeRequestWaits {
  const last = waits.at(-1)
  if (last?.for === cause || waits.length >= MOST_WAITS) return { waits, bot }
  // Clocks of two processes may differ.
  const from = Math.max(at, last?.at ?? at)
  const isLast = waits.length === MOST_WAITS - 1
  return { waits: [...waits, { at: from, for: isLast ? undefined : cause }], bot }
}

/** One time: when it ended, and how long it took, in milliseconds. */
interface Span {
  endedAt: number
  tookMs: number
}

export type FigureName = 'first_review' | 'approval' | 'merge' | `waiting_${WaitingCause}`

/** What each figure means. */
export const figureDocs: Record<Exclude<FigureName, `waiting_${string}`>, string> = {
  first_review:
    'From the opening to the first note or approval by somebody other than the author and bots, before the merge.',
  approval: 'From the opening to the first approval by somebody other than the author and bots, before the merge.',
  merge: 'From the opening to the merge.',
}

export const figureNames: readonly FigureName[] = [
  ...(Object.keys(figureDocs) as (keyof typeof figureDocs)[]),
  ...waitingCauseNames.map((cause) => `waiting_${cause}` as const),
]

/**
 * The times of one merge request, as far as they have ended; undefined if its opening was not seen. Waiting times end
 * with the merge, lie between opening and merge, and never overlap: their sum is at most the time to merge.
 */
export function spansOf(times: MergeRequestTimes): Partial<Record<FigureName, Span>> | undefined {
  const { opened, reviews, approvals, merged, bot } = times
  if (opened === undefined) return undefined
  const span = (endedAt: number | undefined) =>
    endedAt === undefined ? undefined : { endedAt, tookMs: Math.max(0, endedAt - opened.at) }
  const first = (acts: readonly Act[]) =>
    acts.find(({ at, by }) => by !== opened.by && by !== bot && at <= (merged ?? at))?.at
  return {
    first_review: span(first(reviews)),
    approval: span(first(approvals)),
    merge: span(merged),
    ...(merged !== undefined && waitingSpans(times, opened.at, merged)),
  }
}

function waitingSpans({ waits }: MergeRequestWaits, opened: number, merged: number): Partial<Record<FigureName, Span>> {
  const spans: Partial<Record<FigureName, Span>> = {}
  for (const [index, { at, for: cause }] of waits.entries()) {
    const tookMs = Math.min(waits[index + 1]?.at ?? merged, merged) - Math.max(at, opened)
    if (cause === undefined || tookMs <= 0) continue
    const before = spans[`waiting_${cause}`]?.tookMs ?? 0
    spans[`waiting_${cause}`] = { endedAt: merged, tookMs: before + tookMs }
  }
  return spans
}

/** When anything ended that a figure may count: the weeks in which it is looked up. */
export function endsOf({ reviews, approvals, merged }: MergeRequestActs): number[] {
  return [...reviews.map(({ at }) => at), ...approvals.map(({ at }) => at), ...(merged === undefined ? [] : [merged])]
}
