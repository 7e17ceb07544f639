// Merge trains of Premium; not on the API page.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { mergeTrainCar } from '../schemas/merge-train.ts'
import { id, idOrPath } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath, merge_request_iid: id }
const path = '/projects/:id/merge_trains/merge_requests/:merge_request_iid'
export const mergeTrains = {
  get: endpoint('GET', path, {
    doc: 'The place of a merge request on its merge train; 404 where it is on none. Not on the API page (GitLab Premium).',
    pathParams,
    responses: { 200: mergeTrainCar },
  }),
  add: endpoint('POST', path, {
    doc: 'Add a merge request to the merge train (201), or set it to be added when its checks pass (202, with `auto_merge`). Not on the API page (GitLab Premium).',
    pathParams,
    body: {
      sha: z.string().optional(),
      squash: z.boolean().optional(),
      auto_merge: z.boolean().optional(),
      /** Its name before 17.11. */
      when_pipeline_succeeds: z.boolean().optional(),
    },
    responses: { 201: z.array(mergeTrainCar), 202: z.array(mergeTrainCar) },
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
