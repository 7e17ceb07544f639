// The paths of merge requests and of issues, which have notes, reactions, labels, subscribers and times in common.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { timeStats } from '../schemas/issue.ts'
import { datetime, id, idOrNone, longText, sort, userIds } from '../schemas/scalars.ts'
import { userSummary } from '../schemas/user.ts'

/** Filters of both lists. */
export const workFilters = {
  /** Comma-separated. */
  labels: z.string().optional(),
  /** A title. */
  milestone: z.string().optional(),
  author_id: id.optional(),
  my_reaction_emoji: z.string().optional(),
  /** Inclusive, like `created_before`. */
  created_after: datetime.optional(),
  created_before: datetime.optional(),
  /** In title and description. */
  search: z.string().optional(),
  order_by: z.enum(['created_at', 'updated_at']).default('created_at'),
  sort: sort.default('desc'),
}

/** What both have from the start, and what an update of either may change as well. */
export const workDetails = {
  description: longText.optional(),
  assignee_id: idOrNone.optional(),
  assignee_ids: userIds.optional(),
  milestone_id: idOrNone.optional(),
  labels: z.string().optional(),
}
export const workChanges = {
  add_labels: z.string().optional(),
  remove_labels: z.string().optional(),
  state_event: z.enum(['close', 'reopen']).optional(),
  discussion_locked: z.boolean().optional(),
}

/** `called` is its name in a sentence, `event` the first part of its kinds of events. */
export interface NoteableBase<B extends string> {
  readonly place: B
  readonly called: string
  readonly event: string
}

export const onMergeRequest = {
  place: 'merge_requests/:merge_request_iid',
  called: 'a merge request',
  event: 'merge_request',
} as const

export const onIssue = {
  place: 'issues/:issue_iid',
  called: 'an issue',
  event: 'issue',
} as const

/** `shown` is the body of a subscription's response, `todo` that of a to-do. */
export function attentionOn<B extends string, S extends z.ZodType, T extends z.ZodType>(
  { place, called }: NoteableBase<B>,
  { shown, todo }: { shown: S; todo: T },
) {
  const toggled = { 201: shown, 304: z.null() }
  const added = { 201: todo, 304: z.null() }
  return {
    participants: endpoint('GET', `/projects/:id/${place}/participants`, [userSummary], {
      doc: `Who takes part in ${called}.`,
    }),
    subscribe: endpoint('POST', `/projects/:id/${place}/subscribe`, toggled, {
      doc: `Subscribe to ${called}; 304 when subscribed.`,
    }),
    unsubscribe: endpoint('POST', `/projects/:id/${place}/unsubscribe`, toggled, {
      doc: `Unsubscribe from ${called}; 304 when not subscribed.`,
    }),
    todo: endpoint('POST', `/projects/:id/${place}/todo`, added, {
      doc: `Create a to-do for ${called}; 304 when there is one.`,
    }),
  }
}

/** `3h30m`; in the query or in the body. */
const duration = z.string().min(1).max(100)

export function timeTrackingOn<B extends string>({ place, called, event }: NoteableBase<B>) {
  const raises = () => [`${event}.update`]
  return {
    timeEstimate: endpoint('POST', `/projects/:id/${place}/time_estimate`, timeStats, {
      doc: `Set the estimate of ${called}, \`3h30m\`.`,
      status: 200,
      body: { duration },
      raises,
    }),
    resetTimeEstimate: endpoint('POST', `/projects/:id/${place}/reset_time_estimate`, timeStats, {
      doc: `Set the estimate of ${called} to 0.`,
      status: 200,
    }),
    addSpentTime: endpoint('POST', `/projects/:id/${place}/add_spent_time`, timeStats, {
      doc: `Add to the time spent on ${called}.`,
      body: { duration },
      raises,
    }),
    resetSpentTime: endpoint('POST', `/projects/:id/${place}/reset_spent_time`, timeStats, {
      doc: `Set the time spent on ${called} to 0.`,
      status: 200,
    }),
    timeStats: endpoint('GET', `/projects/:id/${place}/time_stats`, timeStats, {
      doc: `Estimate and time spent of ${called}.`,
    }),
  }
}
