// Merge requests.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { closingIssue } from '../schemas/issue.ts'
import {
  diffVersion,
  diffVersionDetails,
  listedDiff,
  mergeRequest,
  mergeRequestChanges,
  pipeline,
  simpleMergeRequest,
  todo,
} from '../schemas/merge-request.ts'
import { commit } from '../schemas/repository.ts'
import { count, id, idAsString, name, refName, scope, userIds } from '../schemas/scalars.ts'
import { reviewerState } from '../schemas/user.ts'
import { approvals, blocks, merging } from './merge-request-merging.ts'
import { attentionOn, onMergeRequest, timeTrackingOn, workChanges, workDetails, workFilters } from './noteable.ts'
import { awardEmojiOn, discussionsOn, labelEventsOn, notesOn } from './notes.ts'

const base = '/projects/:id/merge_requests/:merge_request_iid'
const filters = {
  state: z.enum(['opened', 'closed', 'merged', 'all']).default('all'),
  view: z.enum(['simple']).optional(),
  assignee_id: count.optional(),
  /** Not on the page. */
  reviewer_username: z.string().optional(),
  source_branch: z.string().optional(),
  target_branch: z.string().optional(),
  ...workFilters,
}
const list = {
  reduced: { by: 'view', schema: z.array(simpleMergeRequest) },
} as const

export const mergeRequests = {
  listAll: endpoint('GET', '/merge_requests', [mergeRequest], {
    doc: 'List merge requests that the caller can see. `source_branch` and `target_branch` are not on the page: check the answer.',
    query: { scope: scope.default('created-by-me'), ...filters },
    ...list,
  }),
  list: endpoint('GET', '/projects/:id/merge_requests', [mergeRequest], {
    doc: 'List a project’s merge requests. `source_branch` and `target_branch` are not on the page: check the answer.',
    query: { iids: z.array(id).optional(), scope: scope.default('all'), ...filters },
    ...list,
  }),
  get: endpoint('GET', base, mergeRequest, {
    doc: 'A single merge request.',
    query: {
      include_rebase_in_progress: z.boolean().optional(),
      include_diverged_commits_count: z.boolean().optional(),
    },
  }),
  reviewers: endpoint('GET', `${base}/reviewers`, z.array(reviewerState), {
    doc: 'Its reviewers, with the state of each review; not on the page.',
  }),
  commits: endpoint('GET', `${base}/commits`, [commit], { doc: 'Its commits, newest first.' }),
  changes: endpoint('GET', `${base}/changes`, mergeRequestChanges, { doc: 'The merge request with its `changes`.' }),
  diffs: endpoint('GET', `${base}/diffs`, [listedDiff], {
    doc: 'Its changes in pages, without their version; not on the page.',
  }),
  pipelines: endpoint('GET', `${base}/pipelines`, [pipeline], { doc: 'Its pipelines, newest first.' }),
  createPipeline: endpoint('POST', `${base}/pipelines`, pipeline, {
    doc: 'Run a pipeline of the merge request; not on the page.',
    status: 200,
    errors: { 405: 'it is not open' },
  }),
  create: endpoint('POST', '/projects/:id/merge_requests', mergeRequest, {
    doc: 'Create a merge request; for a fork, called on the fork with `target_project_id`.',
    body: {
      source_branch: refName,
      target_branch: refName,
      title: name,
      ...workDetails,
      reviewer_ids: userIds.optional(),
      target_project_id: id.optional(),
      remove_source_branch: z.boolean().optional(),
      approvals_before_merge: count.optional(),
      squash: z.boolean().optional(),
    },
    errors: { 409: 'another open merge request already exists for this source branch' },
  }),
  update: endpoint('PUT', base, mergeRequest, {
    doc: 'Update. `labels` replaces all; `add_labels` and `remove_labels` are of real installations.',
    body: {
      target_branch: refName.optional(),
      title: name.optional(),
      ...workDetails,
      ...workChanges,
      /** Not on the page. */
      reviewer_ids: userIds.optional(),
      remove_source_branch: z.boolean().optional(),
      squash: z.boolean().optional(),
    },
    needsOneOf: true,
    raises: ({ state_event }) => [
      'merge_request.update',
      ...(typeof state_event === 'string' ? [`merge_request.${state_event}`] : []),
    ],
  }),
  delete: endpoint('DELETE', base, z.null(), { doc: 'Delete softly: administrators and project owners.' }),
  ...merging,
  ...approvals,
  closesIssues: endpoint('GET', `${base}/closes_issues`, [closingIssue], { doc: 'Issues that the merge closes.' }),
  versions: {
    list: endpoint('GET', `${base}/versions`, [diffVersion], {
      doc: 'Diff versions, newest first.',
      pathParams: { id: idAsString, merge_request_iid: id },
    }),
    get: endpoint('GET', `${base}/versions/:version_id`, diffVersionDetails, {
      doc: 'One diff version, with its commits and diffs.',
      pathParams: { id: idAsString, merge_request_iid: id, version_id: id },
    }),
  },
  ...attentionOn(onMergeRequest, { shown: mergeRequest, todo }),
  ...timeTrackingOn(onMergeRequest),
  blocks,
  notes: notesOn(onMergeRequest),
  discussions: discussionsOn(onMergeRequest),
  awardEmoji: awardEmojiOn(onMergeRequest),
  labelEvents: labelEventsOn(onMergeRequest),
}
