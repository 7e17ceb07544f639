// How a project counts approvals: `/projects/:id/approvals`, not on the API page; GitLab Premium.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { count, idOrPath } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath }
const path = '/projects/:id/approvals'
const fields = {
  approvals_before_merge: count,
  /** A push to the source branch withdraws all approvals. */
  reset_approvals_on_push: z.boolean(),
}
const errors = { 404: 'not of this tier' }

export const approvalSettings = {
  get: endpoint('GET', path, {
    doc: 'How approvals count in the project; Premium.',
    pathParams,
    responses: { 200: z.object(fields) },
    errors,
  }),
  update: endpoint('POST', path, {
    doc: 'Edit how approvals count in the project; Premium.',
    pathParams,
    body: z.object(fields).partial().shape,
    needsOneOf: true,
    responses: { 201: z.object(fields) },
    errors,
  }),
}
