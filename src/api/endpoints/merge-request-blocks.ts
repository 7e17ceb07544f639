// The merge requests that block a merge request: GitLab Premium's dependencies; not on the API page (GitLab docs: api/merge_requests.md).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { mergeRequestBlock } from '../schemas/merge-request.ts'
import { id, idOrPath, pageQuery } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath, merge_request_iid: id }
const path = '/projects/:id/merge_requests/:merge_request_iid/blocks'

export const blocks = {
  list: endpoint({
    method: 'GET',
    path,
    doc: 'The merge requests that must be merged before this one. Premium, GitLab since 17.3.',
    pathParams,
    query: pageQuery,
    responses: { 200: z.array(mergeRequestBlock) },
    paged: true,
  }),
  create: endpoint({
    method: 'POST',
    path,
    doc: 'Let another merge request, by its `id`, block this one. Premium, GitLab since 17.3.',
    pathParams,
    body: { blocking_merge_request_id: id },
    responses: { 201: mergeRequestBlock },
    errors: { 409: 'it blocks this one already' },
  }),
}
