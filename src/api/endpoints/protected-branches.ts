// Protected branches of a project, in GitLab's shapes; not on the page.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { protectedBranch } from '../schemas/repository.ts'
import { pageQuery, refName } from '../schemas/scalars.ts'

const path = '/projects/:id/protected_branches'
/** Nobody 0, developer 30, maintainer 40, administrator 60. */
const level = z.union([z.literal(0), z.literal(30), z.literal(40), z.literal(60)])

export const protectedBranches = {
  list: endpoint('GET', path, {
    doc: 'List protected branches; not on the page.',
    query: { search: z.string().max(255).optional(), ...pageQuery },
    ...pageOf(protectedBranch),
  }),
  create: endpoint('POST', path, {
    doc: 'Protect a branch, or all that match a pattern such as `release/*`; not on the page.',
    body: {
      name: refName,
      push_access_level: level.default(40),
      merge_access_level: level.default(40),
      allow_force_push: z.boolean().default(false),
    },
    responses: { 201: protectedBranch },
    errors: { 409: 'the name is protected' },
  }),
  delete: endpoint('DELETE', `${path}/:name`, {
    doc: 'Unprotect; not on the page.',
    pathParams: { name: refName },
    responses: { 204: z.null() },
  }),
}
