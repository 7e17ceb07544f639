// Issues, milestones and labels of a project, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { issue, label, milestone } from '../schemas/issue.ts'
import { issueTodo, mergeRequest } from '../schemas/merge-request.ts'
import { count, date, datetime, id, longText, name, scope } from '../schemas/scalars.ts'
import { attentionOn, onIssue, timeTrackingOn, workChanges, workDetails, workFilters } from './noteable.ts'
import { awardEmojiOn, discussionsOn, labelEventsOn, notesOn } from './notes.ts'

const base = '/projects/:id/issues/:issue_iid'
const details = {
  ...workDetails,
  /** Not on the API page; GitLab accepts these. */
  confidential: z.boolean().optional(),
  due_date: z.union([date, z.literal('')]).optional(),
  /** Premium; null or the empty string is none. */
  weight: z.union([count, z.literal('')]).optional(),
  issue_type: z.enum(['issue', 'incident', 'test_case', 'task']).optional(),
}
/** Labels and milestone may be `None` and `Any`. */
const filters = {
  iids: z.array(id).optional(),
  state: z.enum(['opened', 'closed', 'all']).default('all'),
  assignee_id: z.union([count, z.enum(['None', 'Any', 'none', 'any'])]).optional(),
  ...workFilters,
}

/** GitLab docs: api/issues. */
export const issues = {
  list: endpoint('GET', '/projects/:id/issues', [issue], {
    doc: 'List a project’s issues.',
    query: { scope: scope.default('all'), ...filters },
    anonymous: true,
  }),
  get: endpoint('GET', base, issue, { doc: 'One issue.', anonymous: true }),
  create: endpoint('POST', '/projects/:id/issues', issue, {
    doc: 'Create an issue.',
    body: { title: name, ...details },
  }),
  update: endpoint('PUT', base, issue, {
    doc: 'Update, close or reopen an issue. `labels` replaces all; then `add_labels` and `remove_labels` apply.',
    body: {
      title: name.optional(),
      ...details,
      ...workChanges,
    },
    needsOneOf: true,
    raises: ({ state_event }) => ['issue.update', ...(typeof state_event === 'string' ? [`issue.${state_event}`] : [])],
  }),
  relatedMergeRequests: endpoint('GET', `${base}/related_merge_requests`, [mergeRequest], {
    doc: 'Merge requests that mention the issue.',
  }),
  ...attentionOn(onIssue, { shown: issue, todo: issueTodo }),
  ...timeTrackingOn(onIssue),
  notes: notesOn(onIssue),
  discussions: discussionsOn(onIssue),
  awardEmoji: awardEmojiOn(onIssue),
  labelEvents: labelEventsOn(onIssue),
}

const milestoneFilters = {
  iids: z.array(id).optional(),
  state: z.enum(['active', 'closed']).optional(),
  title: z.string().optional(),
  search: z.string().optional(),
  /** Includes the milestones of parent groups; since 16.7. */
  include_ancestors: z.boolean().optional(),
  /** The older name of `include_ancestors`, which still works; both together are refused. */
  include_parent_milestones: z.boolean().optional(),
}
const dayOrNone = z.union([
  date,
  datetime.regex(/^\d{4}-\d{2}-\d{2}T/).transform((time) => time.slice(0, 10)),
  z.literal(''),
])
const newMilestone = {
  title: name,
  description: longText.optional(),
  /** A time counts as its day; the empty string is none. */
  due_date: dayOrNone.optional(),
  start_date: dayOrNone.optional(),
}

function milestonesOf<const Kind extends 'projects' | 'groups'>(kind: Kind, called: string) {
  return {
    list: endpoint('GET', `/${kind}/:id/milestones`, [milestone], {
      doc: `List the milestones of ${called}, newest first.`,
      query: milestoneFilters,
      anonymous: true,
    }),
    create: endpoint('POST', `/${kind}/:id/milestones`, milestone, {
      doc: `Create a milestone of ${called}.`,
      body: newMilestone,
    }),
  }
}

/** Not on the page. */
export const groupMilestones = milestonesOf('groups', 'a group')

export const milestones = {
  ...milestonesOf('projects', 'a project'),
  get: endpoint('GET', '/projects/:id/milestones/:milestone_id', milestone, {
    doc: 'One milestone.',
    anonymous: true,
  }),
  update: endpoint('PUT', '/projects/:id/milestones/:milestone_id', milestone, {
    doc: 'Update, close or activate a milestone.',
    body: { ...newMilestone, title: name.optional(), state_event: z.enum(['close', 'activate']).optional() },
    needsOneOf: true,
  }),
  delete: endpoint('DELETE', '/projects/:id/milestones/:milestone_id', z.null(), { doc: 'Delete a milestone.' }),
}

const byIdOrName = { label: z.union([id, name]) }
const color = z.string().regex(/^(?:#[0-9a-fA-F]{3,6}|[a-z]{3,30})$/)
const labelChanges = {
  new_name: name.optional(),
  color: color.optional(),
  description: z.string().max(1000).optional(),
}

export const labels = {
  list: endpoint('GET', '/projects/:id/labels', [label], {
    doc: 'List a project’s labels, by name.',
    query: { search: z.string().optional() },
    anonymous: true,
  }),
  create: endpoint('POST', '/projects/:id/labels', label, {
    doc: 'Create a label.',
    body: {
      name,
      color,
      description: labelChanges.description,
    },
    errors: { 409: 'the label exists' },
  }),
  get: endpoint('GET', '/projects/:id/labels/:label', label, {
    doc: 'One label, by id or name.',
    pathParams: byIdOrName,
    anonymous: true,
  }),
  update: endpoint('PUT', '/projects/:id/labels/:label', label, {
    doc: 'Change a label, by id or name; merge requests and issues follow a new name.',
    pathParams: byIdOrName,
    body: labelChanges,
    needsOneOf: true,
  }),
  delete: endpoint('DELETE', '/projects/:id/labels/:label', z.null(), {
    doc: 'Delete a label, by id or name; merge requests and issues lose it.',
    pathParams: byIdOrName,
  }),
}
