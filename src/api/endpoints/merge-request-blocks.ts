import { endpoint, pageOf } from '../endpoint.ts'
import { mergeRequestBlock } from '../schemas/merge-request.ts'
import { id, idOrPath, pageQuery } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath, merge_request_iid: id }
const path = '/projects/:id/merge_requests/:merge_request_iid/blocks'

export const blocks = {
  list: endpoint('GET', path, {
    doc: 'The merge requests that must be merged before this one. Premium, GitLab since 17.3.',
    pathParams,
    query: pageQuery,
    ...pageOf(mergeRequestBlock),
  }),
  create: endpoint('POST', path, {
    doc: 'Let another merge request, by its `id`, block this one. Premium, GitLab since 17.3.',
    pathParams,
    body: { blocking_merge_request_id: id },
    responses: { 201: mergeRequestBlock },
    errors: { 409: 'it blocks this one already' },
  }),
}
