// Groups.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { foundGroup, group, groupDetails, groupWithProjects, ldapLink } from '../schemas/group.ts'
import { message } from '../schemas/project.ts'
import {
  accessLevel,
  count,
  customAttributes,
  id,
  idOrPath,
  name,
  pageQuery,
  sort,
  visibility,
} from '../schemas/scalars.ts'
import { groupHooks } from './hooks.ts'
import { groupMilestones } from './issues.ts'
import { groupMembers } from './members.ts'
import { groupProjectFilters, projectList } from './projects.ts'

const filters = {
  skip_groups: z.array(id).optional(),
  /** Default: false for signed-in users, true for anonymous callers. */
  all_available: z.boolean().optional(),
  /** In name or path. */
  search: z.string().optional(),
  order_by: z.enum(['name', 'path']).default('name'),
  sort: sort.default('asc'),
  /** Only counts for administrators. */
  statistics: z.boolean().optional(),
  owned: z.boolean().optional(),
  ...pageQuery,
}
const list = {
  ...pageOf(group),
  anonymous: true,
  reduced: { by: 'search', schema: z.array(foundGroup) },
} as const
const settings = {
  description: z.string().max(500).optional(),
  visibility: visibility.optional(),
  lfs_enabled: z.boolean().optional(),
  request_access_enabled: z.boolean().optional(),
  /** Administrators only. */
  shared_runners_minutes_limit: count.optional(),
}
/** An LDAP name: may contain spaces, `&` and slashes. */
const cn = z.string().min(1).max(255)
const provider = z.string().min(1).max(255)

export const groups = {
  list: endpoint('GET', '/groups', {
    doc: 'List visible groups; search by name or path.',
    query: { ...filters, custom_attributes: customAttributes.optional() },
    ...list,
  }),
  subgroups: endpoint('GET', '/groups/:id/subgroups', {
    doc: 'List direct subgroups.',
    query: filters,
    ...list,
  }),
  projects: endpoint('GET', '/groups/:id/projects', {
    doc: 'List projects of a group.',
    query: groupProjectFilters,
    ...projectList,
  }),
  get: endpoint('GET', '/groups/:id', {
    doc: 'Group details.',
    /** Not on the API page (GitLab docs: api/groups): `false` leaves its projects out. */
    query: { with_projects: z.boolean().default(true) },
    responses: { 200: groupDetails.partial({ projects: true, shared_projects: true }) },
    anonymous: true,
  }),
  create: endpoint('POST', '/groups', {
    doc: 'Create a group; a right of the user.',
    body: { name, path: name, ...settings, parent_id: id.optional() },
    responses: { 201: group },
  }),
  transferProject: endpoint('POST', '/groups/:id/projects/:project_id', {
    doc: 'Transfer a project into the group; administrators only.',
    pathParams: { project_id: idOrPath },
    responses: { 201: groupDetails },
  }),
  update: endpoint('PUT', '/groups/:id', {
    doc: 'Update; owners and administrators.',
    body: {
      name: name.optional(),
      path: name.optional(),
      membership_lock: z.boolean().optional(),
      share_with_group_lock: z.boolean().optional(),
      ...settings,
    },
    needsOneOf: true,
    responses: { 200: groupWithProjects },
  }),
  delete: endpoint('DELETE', '/groups/:id', {
    doc: 'Remove a group with all its projects; owners and administrators.',
    responses: { 202: message },
  }),
  ldapSync: endpoint('POST', '/groups/:id/ldap_sync', {
    doc: 'Synchronise with the linked directory group; owners and administrators.',
    responses: { 202: message },
  }),
  ldapLinks: {
    create: endpoint('POST', '/groups/:id/ldap_group_links', {
      doc: 'Add a link to a directory group.',
      body: { cn, group_access: accessLevel, provider },
      responses: { 201: ldapLink },
    }),
    delete: endpoint('DELETE', '/groups/:id/ldap_group_links/:cn', {
      doc: 'Delete a link, for every provider.',
      pathParams: { cn },
      responses: { 204: z.null() },
    }),
    deleteOfProvider: endpoint('DELETE', '/groups/:id/ldap_group_links/:provider/:cn', {
      doc: 'Delete a link, for one provider.',
      pathParams: { provider, cn },
      responses: { 204: z.null() },
    }),
  },
  hooks: groupHooks,
  members: groupMembers,
  milestones: groupMilestones,
}
