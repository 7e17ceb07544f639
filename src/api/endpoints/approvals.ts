// Approvals of merge requests: the integer project id only.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { approvals as schema } from '../schemas/merge-request.ts'
import { id, idOrPath } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath, merge_request_iid: id }
const base = '/projects/:id/merge_requests/:merge_request_iid'

export const approvals = {
  approvals: endpoint('GET', `${base}/approvals`, {
    doc: 'Approval status.',
    pathParams,
    integerId: true,
    responses: { 200: schema },
  }),
  approve: endpoint('POST', `${base}/approve`, {
    doc: 'Approve; `sha` must be the current head.',
    pathParams,
    integerId: true,
    body: { sha: z.string().optional() },
    responses: { 201: schema },
    errors: {
      401: 'not eligible, or already approved by the caller',
      409: 'sha is not the head',
    },
    means: { 409: 'moved' },
    raises: () => ['merge_request.update', 'merge_request.approved', 'merge_request.approval'],
  }),
  unapprove: endpoint('POST', `${base}/unapprove`, {
    doc: 'Remove one’s own approval.',
    pathParams,
    integerId: true,
    responses: { 201: schema },
    errors: { 404: 'the caller had not approved' },
    raises: () => ['merge_request.update', 'merge_request.unapproved', 'merge_request.unapproval'],
  }),
}
