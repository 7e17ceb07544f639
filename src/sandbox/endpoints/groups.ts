// Groups, and the namespaces of groups and users.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import {
  canSeeGroup,
  canSeeProject,
  findGroup,
  findProject,
  groupFor,
  isOpenTo,
  memberLevelInGroup,
  owner,
  takesPartIn,
  visibleGroup,
} from '../access/access.ts'
import { hasEnded } from '../access/expiry.ts'
import { createGroup, removeGroup, transferProject, updateGroup } from '../groups/change.ts'
import { forbidden, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import { premium } from '../installation.ts'
import { groupStatistics, listProjects, showProject } from '../projects/show-project.ts'
import { pick, sortBy } from '../records/fields.ts'
import { contains, filtered } from '../records/filter.ts'
import type { Group, LdapLink, Project, User } from '../records/records.ts'
import { showGroup, showNamespace } from '../records/show-records.ts'
import { nextNumber, projectById, type World } from '../storage/world.ts'
import { groupHooks } from './hooks.ts'
import { groupMembers } from './members.ts'
import { groupMilestones } from './milestones.ts'

export const groups: Handlers<Api['groups']> = {
  list: ({ params, caller, world }) => pageOfGroups(world, caller, world.groups.all(), params),

  subgroups: on(visibleGroup, ({ group, params, caller, world }) =>
    pageOfGroups(world, caller, world.groups.where('parent', group.id), params),
  ),

  projects: on(visibleGroup, ({ group, params, caller, world }) =>
    listProjects(world, caller, world.projects.where('namespace', group.id), params),
  ),

  get: on(visibleGroup, ({ group, params, caller, world }) => {
    const { projects, shared_projects, ...shown } = showDetails(world, group, caller)
    return params.with_projects ? { ...shown, projects, shared_projects } : shown
  }),

  create: async ({ params, caller, world }) => showGroup(world, await createGroup(world, caller, params)),

  transferProject({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    const group = findGroup(world, caller, params.id)
    transferProject(world, findProject(world, caller, params.project_id), group)
    return showDetails(world, group, caller)
  },

  update: on(groupFor(owner), async ({ group, params: { id, ...given }, caller, world }) => {
    const updated = await updateGroup(world, caller, group, given)
    const projects = showProjects(world, caller, world.projects.where('namespace', group.id))
    // Only here, projects show `public`.
    return {
      ...showGroup(world, updated),
      projects: projects.map((each) => ({ ...each, public: each.visibility === 'public' })),
    }
  }),

  delete: on(groupFor(owner), async ({ group, caller, world }) => {
    await removeGroup(world, group, caller)
    return { message: '202 Accepted' }
  }),

  ldapSync: on(premium(groupFor(owner)), ({ group, world }) => {
    const links = world.ldapLinks.where('group', group.id).length
    const kept = links === 1 ? 'the 1 link of this group is' : `the ${links} links of this group are`
    return {
      message: `202 Accepted - there is no directory behind this sandbox: ${kept} kept, and nobody was added or removed`,
    }
  }),

  /** Stored and shown; the sandbox has no directory. */
  ldapLinks: {
    create: on(premium(groupFor(owner)), ({ group, params, world }) => {
      const { cn, group_access, provider } = params
      const present = world.ldapLinks.where('group', group.id)
      if (present.some((link) => link.cn === cn && link.provider === provider))
        throw refuse(409, 'Cn has already been taken')
      world.ldapLinks.add({ id: nextNumber(world, 'ldapLinks'), group_id: group.id, cn, group_access, provider })
      return { cn, group_access, provider }
    }),

    delete: on(premium(groupFor(owner)), ({ group, params, world }) =>
      removeLinks(world, group, (link) => link.cn === params.cn),
    ),

    deleteOfProvider: on(premium(groupFor(owner)), ({ group, params, world }) =>
      removeLinks(world, group, (link) => link.cn === params.cn && link.provider === params.provider),
    ),
  },

  hooks: groupHooks,
  members: groupMembers,
  milestones: groupMilestones,
}

/** A search shows less of each group; statistics are for administrators who ask. */
function pageOfGroups(
  world: World,
  caller: User | null,
  among: readonly Group[],
  params: Omit<CheckedParams<Api['groups']['list']>, 'custom_attributes'> & { custom_attributes?: object },
) {
  const { search = '', order_by, sort } = params
  const withStatistics = params.statistics === true && caller?.is_admin === true
  const found = filtered(among, params, {
    // Nothing here sets any.
    custom_attributes: (_, wanted) => Object.keys(wanted).length === 0,
    skip_groups: ({ id }, skipped) => !skipped.includes(id),
    search: ({ name, path }, text) => contains(`${name}\n${path}`, text),
  })
  const listed = found.filter((group) => isListed(world, caller, group, params))
  const sorted = sortBy(listed, sort, (group) => group[order_by].toLowerCase())
  return pageOf(sorted, params, async (group) => {
    if (search !== '') return pick(group, 'id', 'name', 'path', 'description')
    return { ...showGroup(world, group), ...(withStatistics && { statistics: await groupStatistics(world, group) }) }
  })
}

/** Users see their own groups unless they ask for all; administrators see all, as in GitLab. */
function isListed(
  world: World,
  caller: User | null,
  group: Group,
  { owned = false, all_available = caller?.is_admin }: { owned?: boolean; all_available?: boolean },
): boolean {
  if (caller === null) return !owned && canSeeGroup(world, caller, group)
  if (owned && memberLevelInGroup(world, caller, group) < owner) return false
  return (all_available === true && isOpenTo(caller, group)) || takesPartIn(world, caller, group)
}

function showDetails(world: World, group: Group, caller: User | null) {
  const links = world.shareLinks.where('group', group.id).filter((link) => !hasEnded(link))
  const shared = links.map((link) => projectById(world, link.project_id))
  return {
    ...showGroup(world, group),
    projects: showProjects(world, caller, world.projects.where('namespace', group.id)),
    shared_projects: showProjects(world, caller, shared),
    shared_runners_minutes_limit: group.shared_runners_minutes_limit ?? 0,
  }
}

/** Those that the caller sees, newest first. */
function showProjects(world: World, caller: User | null, projects: readonly Project[]) {
  const visible = projects.filter((project) => canSeeProject(world, caller, project))
  return visible.sort((a, b) => b.id - a.id).map((project) => showProject(world, project, caller))
}

function removeLinks(world: World, group: Group, isMeant: (link: LdapLink) => boolean) {
  const found = world.ldapLinks.where('group', group.id).filter(isMeant)
  if (found.length === 0) throw notFound('LDAP Group Link')
  for (const link of found) world.ldapLinks.remove(link.id)
  return null
}

export const namespaces: Handlers<Api['namespaces']> = {
  get({ params: { id }, caller, world }) {
    const path = String(id).toLowerCase()
    const isId = typeof id === 'number'
    const user = isId ? world.users.first('namespace', id) : world.users.first('username', path)
    const group = isId ? world.groups.get(id) : world.groups.first('path', path)
    const isSeen =
      user === undefined ? group && canSeeGroup(world, caller, group) : user.id === caller.id || caller.is_admin
    if (isSeen !== true) throw notFound('Namespace')
    const { full_name, ...shown } = showNamespace(world, user?.namespace_id ?? group?.id ?? 0)
    return shown
  },
}
