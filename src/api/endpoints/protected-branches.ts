// Protected branches of a project, in GitLab's shapes; not on the page. Users and groups need Premium.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { protectedBranch } from '../schemas/repository.ts'
import { id, idOrPath, pageQuery, refName } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath }
const path = '/projects/:id/protected_branches'
/** Nobody 0, developer 30, maintainer 40, administrator 60. */
const level = z.union([z.literal(0), z.literal(30), z.literal(40), z.literal(60)])
/** Somebody may always unprotect. */
const unprotectLevel = z.union([z.literal(30), z.literal(40), z.literal(60)])
const entry = { access_level: level.optional(), user_id: id.optional(), group_id: id.optional() }
const unprotectEntry = { ...entry, access_level: unprotectLevel.optional() }
/** Each entry names one of the three. */
const listOf = <S extends z.ZodRawShape>(shape: S) => z.array(z.object(shape)).max(100).optional()

export const protectedBranches = {
  list: endpoint({
    method: 'GET',
    path,
    doc: 'List protected branches; not on the page.',
    pathParams,
    query: { search: z.string().max(255).optional(), ...pageQuery },
    responses: { 200: z.array(protectedBranch) },
    paged: true,
  }),
  create: endpoint({
    method: 'POST',
    path,
    doc: 'Protect a branch, or all that match a pattern such as `release/*`; not on the page.',
    pathParams,
    body: {
      name: refName,
      /** Default: 40, unless a list says who may. */
      push_access_level: level.optional(),
      merge_access_level: level.optional(),
      allow_force_push: z.boolean().default(false),
      /** Premium, like all that follow; Free ignores them. */
      allowed_to_push: listOf(entry),
      allowed_to_merge: listOf(entry),
      /** Default: 40, unless the list says who may. */
      unprotect_access_level: unprotectLevel.optional(),
      allowed_to_unprotect: listOf(unprotectEntry),
      code_owner_approval_required: z.boolean().optional(),
    },
    responses: { 201: protectedBranch },
    errors: { 409: 'the name is protected', 422: 'a user or group has no access to the project' },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: `${path}/:name`,
    doc: 'Unprotect; not on the page.',
    pathParams: { ...pathParams, name: refName },
    responses: { 204: z.null() },
  }),
}
