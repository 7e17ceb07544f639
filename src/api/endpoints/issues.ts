// Issues, milestones and labels of a project, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { issue, label, milestone } from '../schemas/issue.ts'
import { date, id, idOrNone, idOrPath, longText, name, pageQuery, sort } from '../schemas/scalars.ts'
import { issueNotes } from './notes.ts'

const project = { id: idOrPath }
const pathParams = { id: idOrPath, issue_iid: id }
const details = {
  description: longText.optional(),
  assignee_id: idOrNone.optional(),
  milestone_id: idOrNone.optional(),
  labels: z.string().optional(),
  /** Not in api-v4.md; GitLab accepts it. */
  confidential: z.boolean().optional(),
}

export const issues = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/issues',
    doc: 'List a project’s issues.',
    pathParams: project,
    query: {
      iids: z.array(id).optional(),
      state: z.enum(['opened', 'closed', 'all']).default('all'),
      labels: z.string().optional(),
      milestone: z.string().optional(),
      search: z.string().optional(),
      order_by: z.enum(['created_at', 'updated_at']).default('created_at'),
      sort: sort.default('desc'),
      ...pageQuery,
    },
    responses: { 200: z.array(issue) },
    paged: true,
    anonymous: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid',
    doc: 'One issue.',
    pathParams,
    responses: { 200: issue },
    anonymous: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/issues',
    doc: 'Create an issue.',
    pathParams: project,
    body: { title: name, ...details, issue_type: z.enum(['issue', 'incident', 'test_case', 'task']).optional() },
    responses: { 201: issue },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/issues/:issue_iid',
    doc: 'Update, close or reopen an issue.',
    pathParams,
    body: { title: name.optional(), ...details, state_event: z.enum(['close', 'reopen']).optional() },
    needsOneOf: true,
    responses: { 200: issue },
  }),
  notes: issueNotes,
}

const milestoneFilters = {
  iids: z.array(id).optional(),
  state: z.enum(['active', 'closed']).optional(),
  title: z.string().optional(),
  search: z.string().optional(),
  /** Those of the groups above too; since 16.7. */
  include_ancestors: z.boolean().optional(),
  /** Its older name, since 13.4; a newer service refuses both together. */
  include_parent_milestones: z.boolean().optional(),
  ...pageQuery,
}
const newMilestone = {
  title: name,
  description: longText.optional(),
  due_date: z.union([date, z.literal('')]).optional(),
}

/** Not on the page; in GitLab since 9.5. */
export const groupMilestones = {
  list: endpoint({
    method: 'GET',
    path: '/groups/:id/milestones',
    doc: 'List a group’s milestones, newest first (GitLab 9.5).',
    pathParams: project,
    query: milestoneFilters,
    responses: { 200: z.array(milestone) },
    paged: true,
    anonymous: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/groups/:id/milestones/:milestone_id',
    doc: 'One milestone of a group, by its global id (GitLab 9.5).',
    pathParams: { id: idOrPath, milestone_id: id },
    responses: { 200: milestone },
    anonymous: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/groups/:id/milestones',
    doc: 'Create a milestone of a group (GitLab 9.5).',
    pathParams: project,
    body: newMilestone,
    responses: { 201: milestone },
  }),
}

export const milestones = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/milestones',
    doc: 'List a project’s milestones, newest first.',
    pathParams: project,
    query: milestoneFilters,
    responses: { 200: z.array(milestone) },
    paged: true,
    anonymous: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/:id/milestones/:milestone_id',
    doc: 'One milestone, by its global id.',
    pathParams: { id: idOrPath, milestone_id: id },
    responses: { 200: milestone },
    anonymous: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/milestones',
    doc: 'Create a milestone.',
    pathParams: project,
    body: newMilestone,
    responses: { 201: milestone },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/milestones/:milestone_id',
    doc: 'Update, close or activate a milestone.',
    pathParams: { id: idOrPath, milestone_id: id },
    body: {
      title: name.optional(),
      description: longText.optional(),
      due_date: z.union([date, z.literal('')]).optional(),
      state_event: z.enum(['close', 'activate']).optional(),
    },
    needsOneOf: true,
    responses: { 200: milestone },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/projects/:id/milestones/:milestone_id',
    doc: 'Delete a milestone.',
    pathParams: { id: idOrPath, milestone_id: id },
    responses: { 204: z.null() },
  }),
}

export const labels = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/labels',
    doc: 'List a project’s labels, by name.',
    pathParams: project,
    query: { search: z.string().optional(), ...pageQuery },
    responses: { 200: z.array(label) },
    paged: true,
    anonymous: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/labels',
    doc: 'Create a label.',
    pathParams: project,
    body: {
      name,
      color: z.string().regex(/^(?:#[0-9a-fA-F]{3,6}|[a-z]{3,30})$/),
      description: z.string().max(1000).optional(),
    },
    responses: { 201: label },
    errors: { 409: 'the label exists' },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/projects/:id/labels/:label',
    doc: 'Delete a label, by id or name; merge requests and issues lose it.',
    pathParams: { id: idOrPath, label: z.union([id, name]) },
    responses: { 204: z.null() },
  }),
}
