// Issues, milestones, labels, notes, award emoji and times, in GitLab's shapes.
import * as z from 'zod'
import { count, datetime, id } from './scalars.ts'
import { userSummary } from './user.ts'

export const milestone = z.object({
  id,
  iid: id,
  /** Either the project or the group that it belongs to. */
  project_id: id.optional(),
  group_id: id.optional(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['active', 'closed']),
  created_at: datetime,
  updated_at: datetime,
  due_date: z.string().nullable().optional(),
  start_date: z.string().nullable().optional(),
})

export const label = z.object({ id, name: z.string(), color: z.string(), description: z.string().nullable() })

export const timeStats = z.object({
  /** Seconds. */
  time_estimate: z.int(),
  /** Seconds. */
  total_time_spent: z.int(),
  /** `3h 30m`; null for zero. */
  human_time_estimate: z.string().nullable().optional(),
  human_total_time_spent: z.string().nullable().optional(),
})

/** `relative` is short in the issue’s own project; the sandbox knows no other place to ask from. */
export const references = z.object({ short: z.string(), relative: z.string(), full: z.string() })

/** What issues and merge requests have in common. */
export const workFields = {
  id,
  iid: id,
  project_id: id,
  title: z.string(),
  /** Null in GitLab if none was ever given. */
  description: z.string().nullable().optional(),
  created_at: datetime,
  updated_at: datetime,
  author: userSummary,
  assignee: userSummary.nullable().optional(),
  /** Newer versions: several. */
  assignees: z.array(userSummary).optional(),
  labels: z.array(z.string()).optional(),
  milestone: milestone.nullable().optional(),
  user_notes_count: count.optional(),
  web_url: z.string().optional(),
  /** Of the check boxes in the description. */
  task_completion_status: z.object({ count, completed_count: count }).optional(),
}

/** Optional fields belong to newer versions than the API page (GitLab docs: api/issues). */
export const issue = z.object({
  ...workFields,
  state: z.enum(['opened', 'closed']),
  closed_at: datetime.nullable().optional(),
  closed_by: userSummary.nullable().optional(),
  /** How many merge requests close it. */
  merge_requests_count: count.optional(),
  upvotes: count.optional(),
  downvotes: count.optional(),
  due_date: z.string().nullable().optional(),
  confidential: z.boolean().optional(),
  /** Null in GitLab if it was never locked. */
  discussion_locked: z.boolean().nullable().optional(),
  /** `issue`, `incident`, `task`; `type` says the same in capitals. */
  issue_type: z.string().optional(),
  type: z.string().optional(),
  /** Absent without Premium. */
  weight: count.nullable().optional(),
  time_stats: timeStats.optional(),
  references: references.optional(),
  /** Only in the single form. */
  subscribed: z.boolean().optional(),
})

/** An issue that a merge closes, in the built-in or an external tracker. */
export const closingIssue = z.union([
  issue
    .omit({ closed_at: true, web_url: true })
    .extend({ changes_count: z.string().optional(), approvals_before_merge: count.nullable().optional() }),
  z.object({ id: z.string(), title: z.string() }),
])

/** Where in the changes a thread is, as who began it says. */
export const position = {
  base_sha: z.string().nullable(),
  start_sha: z.string().nullable(),
  head_sha: z.string().nullable(),
  position_type: z.string(),
  old_path: z.string().nullable(),
  new_path: z.string().nullable(),
  old_line: z.int().nullable(),
  new_line: z.int().nullable(),
  line_range: z.record(z.string(), z.unknown()).nullable(),
}

export const note = z.object({
  id,
  body: z.string().optional(),
  author: userSummary,
  created_at: datetime.optional(),
  updated_at: datetime.optional(),
  system: z.boolean().optional(),
  /** Null for a note on a commit. */
  noteable_id: id.nullable().optional(),
  noteable_type: z.string().optional(),
  noteable_iid: id.nullable().optional(),
  resolvable: z.boolean().optional(),
  /** Newer versions: readable only with the right to see internal notes; `confidential` is its older name. */
  internal: z.boolean().optional(),
  confidential: z.boolean().optional(),
  /** `DiscussionNote` in a thread, `DiffNote` on a line of the changes. */
  type: z.string().nullable().optional(),
  position: z.object(position).partial().nullable().optional(),
  /** Only for a resolvable note. */
  resolved: z.boolean().optional(),
})
/** A thread, or one note alone. */
export const discussion = z.object({ id: z.string(), individual_note: z.boolean(), notes: z.array(note) })

export const awardEmoji = z.object({
  id,
  name: z.string(),
  user: userSummary,
  created_at: datetime,
  updated_at: datetime,
  awardable_id: id,
  awardable_type: z.string(),
})

/** Who added or removed a label, and when. The label is null once it is deleted. */
export const labelEvent = z.object({
  id,
  user: userSummary,
  created_at: datetime,
  resource_type: z.string(),
  resource_id: id,
  label: label.nullable(),
  action: z.enum(['add', 'remove']),
})

export const wikiPage = z.object({
  slug: z.string(),
  title: z.string(),
  format: z.string(),
  content: z.string().optional(),
})
