// Protected branches of a project, in GitLab's shapes; not on the page. Users and groups need Premium.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { protectedBranch } from '../schemas/repository.ts'
import { id, refName } from '../schemas/scalars.ts'

const path = '/projects/:id/protected_branches'
/** Nobody 0, developer 30, maintainer 40, administrator 60. */
const level = z.literal([0, 30, 40, 60])
/** Each entry names one of the three. */
const list = z
  .array(z.object({ access_level: level.optional(), user_id: id.optional(), group_id: id.optional() }))
  .max(100)
  .optional()

export const protectedBranches = {
  list: endpoint('GET', path, [protectedBranch], {
    doc: 'List protected branches; not on the page.',
    query: { search: z.string().max(255).optional() },
  }),
  create: endpoint('POST', path, protectedBranch, {
    doc: 'Protect a branch, or all that match a pattern such as `release/*`; not on the page.',
    body: {
      name: refName,
      /** Default: 40, unless a list says who may. */
      push_access_level: level.optional(),
      merge_access_level: level.optional(),
      allow_force_push: z.boolean().default(false),
      /** Premium, like the next; Free ignores both. */
      allowed_to_push: list,
      allowed_to_merge: list,
    },
    errors: { 409: 'the name is protected' },
  }),
  delete: endpoint('DELETE', `${path}/:name`, z.null(), {
    doc: 'Unprotect; not on the page.',
    pathParams: { name: refName },
  }),
}
