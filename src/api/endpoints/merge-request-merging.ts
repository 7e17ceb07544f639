// Accepting, cancelling a waiting merge and rebasing merge requests.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  approvals as approvalsSchema,
  mergeRequest,
  mergeRequestBlock,
  mergeTrainCar,
} from '../schemas/merge-request.ts'
import { id, longText } from '../schemas/scalars.ts'

const base = '/projects/:id/merge_requests/:merge_request_iid'

export const merging = {
  accept: endpoint('PUT', `${base}/merge`, mergeRequest, {
    doc: 'Accept. `squash` is no parameter of the page; real installations take it.',
    body: {
      merge_commit_message: longText.optional(),
      should_remove_source_branch: z.boolean().optional(),
      merge_when_pipeline_succeeds: z.boolean().optional(),
      sha: z.string().optional(),
      squash: z.boolean().optional(),
      auto_merge: z.boolean().optional(),
    },
    errors: {
      401: 'the caller may not accept this merge request',
      405: 'Branch cannot be merged',
      406: 'already merged or closed',
      409: 'SHA does not match HEAD of source branch',
    },
    // A client tells 405, 406 and 422 apart by reading the merge request again.
    means: { 405: 'not_now', 406: 'not_now', 422: 'not_now', 409: 'moved' },
    raises: () => ['merge_request.update', 'merge_request.merge', 'merge_request.close'],
  }),
  cancelMergeWhenPipelineSucceeds: endpoint('PUT', `${base}/cancel_merge_when_pipeline_succeeds`, mergeRequest, {
    doc: 'Cancel the pending merge; POST in real installations, where it removes from a merge train too.',
    otherMethod: { method: 'POST', after: [404, 405] },
    errorInBody: true,
    errors: {
      401: 'the caller may not cancel',
      405: 'already merged or closed',
      406: 'not set to merge when the pipeline succeeds',
    },
    // Nothing was cancelled: the caller reads the merge request again.
    means: { 406: 'not_now' },
    raises: () => ['merge_request.update'],
  }),
  rebase: endpoint('PUT', `${base}/rebase`, z.object({ rebase_in_progress: z.boolean() }), {
    doc: 'Rebase the source branch in the background; not on the page.',
    status: 202,
    errors: { 403: 'the source branch may not be pushed to', 409: 'it cannot be enqueued now' },
    means: { 409: 'not_now' },
    raises: () => ['merge_request.update', 'merge_request.approvals_reset', 'push'],
  }),
}

export const approvals = {
  approvals: endpoint('GET', `${base}/approvals`, approvalsSchema, {
    doc: 'Approval status.',
    integerId: true,
  }),
  approve: endpoint('POST', `${base}/approve`, approvalsSchema, {
    doc: 'Approve; `sha` must be the current head.',
    integerId: true,
    body: { sha: z.string().optional() },
    errors: {
      401: 'not eligible, or already approved by the caller',
      409: 'sha is not the head',
    },
    means: { 409: 'moved' },
    raises: () => ['merge_request.update', 'merge_request.approved', 'merge_request.approval'],
  }),
  unapprove: endpoint('POST', `${base}/unapprove`, approvalsSchema, {
    doc: 'Remove one’s own approval.',
    integerId: true,
    errors: { 404: 'the caller had not approved' },
    raises: () => ['merge_request.update', 'merge_request.unapproved', 'merge_request.unapproval'],
  }),
}

export const blocks = {
  list: endpoint('GET', `${base}/blocks`, [mergeRequestBlock], {
    doc: 'The merge requests that must be merged before this one. Premium, GitLab since 17.3.',
  }),
  create: endpoint('POST', `${base}/blocks`, mergeRequestBlock, {
    doc: 'Let another merge request, by its `id`, block this one. Premium, GitLab since 17.3.',
    body: { blocking_merge_request_id: id },
    errors: { 409: 'it blocks this one already' },
  }),
}

const train = '/projects/:id/merge_trains/merge_requests/:merge_request_iid'
const added = { 201: z.array(mergeTrainCar), 202: z.array(mergeTrainCar) }

export const mergeTrains = {
  get: endpoint('GET', train, mergeTrainCar, {
    doc: 'The place of a merge request on its merge train; 404 where it is on none. Not on the API page (GitLab Premium).',
  }),
  add: endpoint('POST', train, added, {
    doc: 'Add a merge request to the merge train (201), or set it to be added when its checks pass (202, with `auto_merge`). Not on the API page (GitLab Premium).',
    body: {
      sha: z.string().optional(),
      squash: z.boolean().optional(),
      auto_merge: z.boolean().optional(),
      /** Its name before 17.11. */
      when_pipeline_succeeds: z.boolean().optional(),
    },
    errors: {
      400: 'it cannot be merged',
      401: 'the caller may not merge it',
      403: 'the caller may not see merge trains, or the project has none',
      409: 'SHA does not match HEAD of source branch',
    },
    means: { 400: 'not_now', 409: 'moved' },
    raises: () => ['merge_request.update', 'merge_request.merge', 'merge_request.close'],
  }),
}
