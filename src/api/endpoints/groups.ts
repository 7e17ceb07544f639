// Groups, and namespaces: users and groups, where projects are (GitLab docs: api/namespaces).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { foundGroup, group, groupDetails, groupWithProjects, ldapLink } from '../schemas/group.ts'
import { message, namespace, project } from '../schemas/project.ts'
import {
  accessLevel,
  avatar,
  count,
  customAttributes,
  id,
  idOrPath,
  name,
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
}
const list = {
  anonymous: true,
  reduced: { by: 'search', schema: z.array(foundGroup) },
} as const
const settings = {
  description: z.string().max(500).optional(),
  visibility: visibility.optional(),
  lfs_enabled: z.boolean().optional(),
  request_access_enabled: z.boolean().optional(),
  avatar: avatar.optional(),
  /** Administrators only. */
  shared_runners_minutes_limit: count.optional(),
}
/** An LDAP name: may contain spaces, `&` and slashes. */
const cn = z.string().min(1).max(255)
const provider = z.string().min(1).max(255)

export const groups = {
  list: endpoint('GET', '/groups', [group], {
    doc: 'List visible groups; search by name or path.',
    query: { ...filters, custom_attributes: customAttributes.optional() },
    ...list,
  }),
  subgroups: endpoint('GET', '/groups/:id/subgroups', [group], {
    doc: 'List direct subgroups.',
    query: filters,
    ...list,
  }),
  projects: endpoint('GET', '/groups/:id/projects', [project], {
    doc: 'List projects of a group.',
    query: groupProjectFilters,
    ...projectList,
  }),
  get: endpoint('GET', '/groups/:id', groupDetails.partial({ projects: true, shared_projects: true }), {
    doc: 'Group details.',
    /** Not on the API page (GitLab docs: api/groups): `false` leaves its projects out. */
    query: { with_projects: z.boolean().default(true) },
    anonymous: true,
  }),
  create: endpoint('POST', '/groups', group, {
    doc: 'Create a group; a right of the user.',
    body: { name, path: name, ...settings, parent_id: id.optional() },
  }),
  transferProject: endpoint('POST', '/groups/:id/projects/:project_id', groupDetails, {
    doc: 'Transfer a project into the group; administrators only.',
    pathParams: { project_id: idOrPath },
  }),
  update: endpoint('PUT', '/groups/:id', groupWithProjects, {
    doc: 'Update; owners and administrators.',
    body: {
      name: name.optional(),
      path: name.optional(),
      membership_lock: z.boolean().optional(),
      share_with_group_lock: z.boolean().optional(),
      ...settings,
    },
    needsOneOf: true,
  }),
  delete: endpoint('DELETE', '/groups/:id', message, {
    doc: 'Remove a group with all its projects; owners and administrators.',
    status: 202,
  }),
  ldapSync: endpoint('POST', '/groups/:id/ldap_sync', message, {
    doc: 'Synchronise with the linked directory group; owners and administrators.',
    status: 202,
  }),
  ldapLinks: {
    create: endpoint('POST', '/groups/:id/ldap_group_links', ldapLink, {
      doc: 'Add a link to a directory group.',
      body: { cn, group_access: accessLevel, provider },
    }),
    delete: endpoint('DELETE', '/groups/:id/ldap_group_links/:cn', z.null(), {
      doc: 'Delete a link, for every provider.',
      pathParams: { cn },
    }),
    deleteOfProvider: endpoint('DELETE', '/groups/:id/ldap_group_links/:provider/:cn', z.null(), {
      doc: 'Delete a link, for one provider.',
      pathParams: { provider, cn },
    }),
  },
  hooks: groupHooks,
  members: groupMembers,
  milestones: groupMilestones,
}

export const namespaces = {
  get: endpoint('GET', '/namespaces/:id', namespace, { doc: 'One namespace, by id or path.' }),
}
