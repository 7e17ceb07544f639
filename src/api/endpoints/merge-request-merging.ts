// Accepting, cancelling a waiting merge and rebasing merge requests.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { mergeRequest } from '../schemas/merge-request.ts'
import { id, idOrPath, longText } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath, merge_request_iid: id }
const base = '/projects/:id/merge_requests/:merge_request_iid'

export const merging = {
  accept: endpoint('PUT', `${base}/merge`, {
    doc: 'Accept. `squash` is no parameter of the page; real installations take it.',
    pathParams,
    body: {
      merge_commit_message: longText.optional(),
      should_remove_source_branch: z.boolean().optional(),
      merge_when_pipeline_succeeds: z.boolean().optional(),
      sha: z.string().optional(),
      squash: z.boolean().optional(),
      auto_merge: z.boolean().optional(),
    },
    responses: { 200: mergeRequest },
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
  cancelMergeWhenPipelineSucceeds: endpoint('PUT', `${base}/cancel_merge_when_pipeline_succeeds`, {
    doc: 'Cancel the pending merge; POST in real installations, where it removes from a merge train too.',
    pathParams,
    otherMethod: { method: 'POST', after: [404, 405] },
    errorInBody: true,
    responses: { 200: mergeRequest },
    errors: {
      401: 'the caller may not cancel',
      405: 'already merged or closed',
      406: 'not set to merge when the pipeline succeeds',
    },
    // Nothing was cancelled: the caller reads the merge request again.
    means: { 406: 'not_now' },
    raises: () => ['merge_request.update'],
  }),
  rebase: endpoint('PUT', `${base}/rebase`, {
    doc: 'Rebase the source branch in the background; not on the page.',
    pathParams,
    body: { skip_ci: z.boolean().optional() },
    responses: { 202: z.object({ rebase_in_progress: z.boolean() }) },
    errors: { 403: 'the source branch may not be pushed to', 409: 'it cannot be enqueued now' },
    means: { 409: 'not_now' },
    raises: () => ['merge_request.update', 'merge_request.approvals_reset', 'push'],
  }),
}
