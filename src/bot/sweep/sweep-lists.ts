// Sweeps one list, of merge requests or of issues, within the budget: first what changed since the last sweep, newest
// first, then what is open and waits on what `updated_at` does not show, such as a pipeline's end.
import type { Client } from '../../client/create-client.ts'
import type { ListPage, Pages } from '../../client/pages.ts'
import type { SweptProject } from '../../journal/types.ts'
import { isShownByUpdatedAt } from '../../rules/engine/triggers.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import type { Decision, MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import type { CallBudget } from '../service/call-budget.ts'
import { changesAfter, type ListMark, type ListName } from './sweep-mark.ts'

/** Pages of 100 entries. The next sweep continues a longer list. */
const maxPages = 50

type ListedUser = { id?: number | undefined; username?: string | undefined } | null | undefined

/** What lists show; `iid` is that of the ref, so below 0 for an issue. Only `state` is absent in no service. */
export interface ListedEntry {
  iid?: number | undefined
  state?: string | undefined
  updated_at?: string | undefined
  created_at?: string | undefined
  merged_at?: string | null | undefined
  closed_at?: string | null | undefined
  author?: ListedUser
  merge_user?: ListedUser
  merged_by?: ListedUser
  closed_by?: ListedUser
  title?: string | undefined
  web_url?: string | undefined
  confidential?: boolean | undefined
  user_notes_count?: number | undefined
  source_branch?: string | undefined
  source_project_id?: number | null | undefined
  target_branch?: string | undefined
  sha?: string | null | undefined
}

type Why = SweptProject['enqueued'][number]['why']

/**
 * Whether lists show that an open one needs no evaluation that was never evaluated, or whose last decision `updated_at`
 * alone does not show to stand.
 */
export type IsUnchanged = (entry: ListedEntry, last: Decision | undefined) => boolean

export interface ListReading {
  of: ListName
  project: number
  budget: CallBudget
  looked: Set<number>
  /** All that are open: a person asked. */
  every: boolean
  /** Queues one; false when the budget is used up. */
  enqueue: (entry: ListedEntry, why: Why) => Promise<boolean>
  isUnchanged?: IsUnchanged | undefined
}

/**
 * Passes each page to `look`, newest `updated_at` first as far as the service orders them. Returns the page that was
 * not read to its end, if any. Throws what the client throws.
 */
async function readList(
  { client }: Context,
  where: ListReading,
  params: { state: 'all' | 'opened'; page: number },
  look: (entries: ListedEntry[], page: Pick<ListPage<unknown>, 'date'>) => Promise<'on' | 'enough' | 'cut'>,
): Promise<number | undefined> {
  const { budget, looked } = where
  const pages = pagesOf(client, where, params)[Symbol.asyncIterator]()
  const seen = new Set<number>()
  for (let page = params.page; ; page += 1) {
    if (page - params.page >= maxPages || !budget.take('call')) return page
    const { value, done } = await pages.next()
    if (done === true) return undefined
    const entries = value.body.map((each) => ({ ...each, iid: iidOf(where, each) }))
    const fresh = entries.filter(({ iid }) => iid !== undefined && !seen.has(iid))
    for (const { iid } of fresh) if (iid !== undefined) looked.add(iid) && seen.add(iid)
    // A service without paging returns the same page forever.
    if (fresh.length === 0) return undefined
    const next = await look(fresh, value)
    if (next === 'cut') return page
    if (next === 'enough' || value.complete) return undefined
  }
}

function pagesOf(client: Client, { of, project }: ListReading, params: { state: 'all' | 'opened'; page: number }) {
  const all = { id: project, scope: 'all', order_by: 'updated_at', sort: 'desc', per_page: 100, ...params } as const
  const pages: Pages<ListedEntry> =
    of === 'issues'
      ? client.pages(client.issues.list, all, { maxPages })
      : client.pages(client.mergeRequests.list, all, { maxPages })
  return pages
}

function iidOf({ of, project }: ListReading, { iid }: ListedEntry): number | undefined {
  return of === 'issues' && iid !== undefined ? issueRef(project, iid).iid : iid
}

interface SweptChanges {
  /** Newest `updated_at`; -Infinity: none. */
  seen: number
  /** The service's clock at the first page; absent if it does not say. */
  serviceNow?: number | undefined
  /** Changes not reached; absent: none. */
  left?: ListMark['left']
}

/** In milliseconds of the service's clock; NaN if it does not say. */
const updatedAt = ({ updated_at }: ListedEntry) => Date.parse(updated_at ?? '')

/** Queues what changed since the mark, and what an earlier sweep did not reach. Throws what the client throws. */
export async function sweepChanges(context: Context, reading: ListReading, mark: ListMark): Promise<SweptChanges> {
  const after = changesAfter(mark)
  const latest = await newestFirst(context, reading, { after: after ?? Number.POSITIVE_INFINITY, page: 1 })
  const { left } = mark
  if (latest.left !== undefined) {
    // Joins the two gaps: what lies between them is read twice rather than not at all.
    return { ...latest, left: { ...latest.left, after: Math.min(latest.left.after, left?.after ?? latest.left.after) } }
  }
  if (left === undefined) return latest
  // New changes moved the rest to later pages. One page earlier, because some may have been deleted.
  const rest = await newestFirst(context, reading, { ...left, page: Math.max(1, left.page - 1) })
  return { ...latest, seen: Math.max(latest.seen, rest.seen), left: rest.left }
}

async function newestFirst(
  context: Context,
  reading: ListReading,
  { after, before = Number.POSITIVE_INFINITY, page }: NonNullable<ListMark['left']>,
): Promise<SweptChanges> {
  let seen = Number.NEGATIVE_INFINITY
  let serviceNow: number | undefined
  let leftBefore: number | undefined
  const cutAt = await readList(context, reading, { state: 'all', page }, async (entries, { date }) => {
    serviceNow ??= date
    const times = entries.map(updatedAt)
    seen = Math.max(seen, ...times.filter((time) => !Number.isNaN(time)))
    // Whole pages decide: a service that orders otherwise must not end the sweep at one old entry.
    const ordered = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? Number.NaN))
    leftBefore = ordered ? times.at(-1) : undefined
    for (const [at, entry] of entries.entries()) {
      const time = times[at] ?? Number.NaN
      if (!(time > after && time <= before)) continue
      if (await reading.enqueue(entry, 'changed')) continue
      leftBefore = ordered ? time : undefined
      return 'cut'
    }
    return ordered && times.some((time) => time <= after) ? 'enough' : 'on'
  })
  if (cutAt === undefined) return { seen, serviceNow }
  return { seen, serviceNow, left: { after, before: leftBefore, page: cutAt } }
}

// What nothing shows (a member's access, a setting) is repaired within this time.
const longestUnevaluatedMs = 24 * 60 * 60_000

/**
 * Queues the open ones that may have changed unseen; returns the page to continue with when the budget
 * ended. Throws what client and journal throw.
 */
export async function sweepOpen(context: Context, reading: ListReading, mark: ListMark): Promise<number | undefined> {
  return readList(context, reading, { state: 'opened', page: mark.openPage ?? 1 }, async (entries) => {
    // A service that ignores `state` lists all of them.
    const open = entries.filter(({ state }) => state === 'opened' || state === 'reopened')
    const found = await Promise.all(open.map((entry) => look(context, reading, mark, entry)))
    // Longest unevaluated first, so that a small budget reaches all of them in time.
    found.sort((a, b) => a.decidedAt - b.decidedAt)
    for (const { entry, why } of found) if (why !== undefined && !(await reading.enqueue(entry, why))) return 'cut'
    return 'on'
  })
}

async function look(
  { journal, now }: Context,
  { project, every, isUnchanged }: ListReading,
  mark: ListMark,
  entry: ListedEntry,
): Promise<{ entry: ListedEntry; decidedAt: number; why: Why | undefined }> {
  const mergeRequest: MergeRequestRef = { project, iid: entry.iid ?? 0 }
  const [last] = (await journal.decisions.list({ mergeRequest, limit: 1 })).items
  const decidedAt = last === undefined ? 0 : Date.parse(last.at)
  return { entry, decidedAt, why: why() }

  function why(): Why | undefined {
    if (every) return 'requested'
    if (last === undefined) return isUnchanged?.(entry, last) === true ? undefined : 'never_evaluated'
    // The first half relies on the service's order; this finds what a wrong order hid.
    if (updatedAt(entry) > (changesAfter(mark) ?? Number.POSITIVE_INFINITY)) return 'changed'
    if (!isShownByUpdatedAt(last) && isUnchanged?.(entry, last) !== true) return 'waits'
    return now() - decidedAt >= longestUnevaluatedMs ? 'not_evaluated_for_a_day' : undefined
  }
}
