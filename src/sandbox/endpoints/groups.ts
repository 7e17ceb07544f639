// Groups.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import {
  canSeeGroup,
  canSeeProject,
  findGroup,
  findGroupFor,
  findProject,
  isOpenTo,
  memberLevelInGroup,
  owner,
  takesPartIn,
} from '../access/access.ts'
import { hasEnded } from '../access/expiry.ts'
import { createGroup, removeGroup, transferProject, updateGroup } from '../groups/change.ts'
import { forbidden, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { requirePremium } from '../installation.ts'
import { groupStatistics, listProjects, showProject } from '../projects/show-project.ts'
import { pick, sortBy } from '../records/fields.ts'
import type { Group, LdapLink, Project, User } from '../records/records.ts'
import { showGroup } from '../records/show-records.ts'
import { nextNumber, projectById, type World } from '../storage/world.ts'
import { groupHooks } from './hooks.ts'
import { groupMembers } from './members.ts'
import { groupMilestones } from './milestones.ts'

export const groups: Handlers<Api['groups']> = {
  list: ({ params, caller, world }) => pageOfGroups(world, caller, world.groups.all(), params),

  subgroups({ params, caller, world }) {
    const parent = findGroup(world, caller, params.id)
    return pageOfGroups(world, caller, world.groups.where('parent', parent.id), params)
  },

  projects({ params, caller, world }) {
    const group = findGroup(world, caller, params.id)
    return listProjects(world, caller, world.projects.where('namespace', group.id), params)
  },

  get({ params, caller, world }) {
    const group = findGroup(world, caller, params.id)
    const { projects, shared_projects, ...shown } = showDetails(world, group, caller)
    return params.with_projects ? { ...shown, projects, shared_projects } : shown
  },

  create: ({ params, caller, world }) => showGroup(world, createGroup(world, caller, params)),

  transferProject({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    const group = findGroup(world, caller, params.id)
    transferProject(world, findProject(world, caller, params.project_id), group)
    return showDetails(world, group, caller)
  },

  update({ params: { id, ...given }, caller, world }) {
    const group = updateGroup(world, caller, findGroupFor(world, caller, id, owner), given)
    const projects = showProjects(world, caller, world.projects.where('namespace', group.id))
    // Only here, projects show `public`.
    return {
      ...showGroup(world, group),
      projects: projects.map((each) => ({ ...each, public: each.visibility === 'public' })),
    }
  },

  async delete({ params, caller, world }) {
    await removeGroup(world, findGroupFor(world, caller, params.id, owner), caller)
    return { message: '202 Accepted' }
  },

  ldapSync({ params, caller, world }) {
    requirePremium(world)
    const group = findGroupFor(world, caller, params.id, owner)
    const links = world.ldapLinks.where('group', group.id).length
    const kept = links === 1 ? 'the 1 link of this group is' : `the ${links} links of this group are`
    return {
      message: `202 Accepted - there is no directory behind this sandbox: ${kept} kept, and nobody was added or removed`,
    }
  },

  /** Stored and shown; the sandbox has no directory. */
  ldapLinks: {
    create({ params, caller, world }) {
      requirePremium(world)
      const group = findGroupFor(world, caller, params.id, owner)
      const { cn, group_access, provider } = params
      const present = world.ldapLinks.where('group', group.id)
      if (present.some((link) => link.cn === cn && link.provider === provider))
        throw refuse(409, 'Cn has already been taken')
      world.ldapLinks.add({ id: nextNumber(world, 'ldapLinks'), group_id: group.id, cn, group_access, provider })
      return { cn, group_access, provider }
    },

    delete({ params, caller, world }) {
      return removeLinks(world, caller, params.id, (link) => link.cn === params.cn)
    },

    deleteOfProvider({ params, caller, world }) {
      return removeLinks(world, caller, params.id, (link) => link.cn === params.cn && link.provider === params.provider)
    },
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
  const { search = '', skip_groups = [], custom_attributes = {}, order_by, sort } = params
  const withStatistics = params.statistics === true && caller?.is_admin === true
  const isListed = listedTest(world, caller, params)
  const found = among.filter(
    (group) =>
      // Nothing here sets any.
      Object.keys(custom_attributes).length === 0 &&
      !skip_groups.includes(group.id) &&
      `${group.name}\n${group.path}`.toLowerCase().includes(search.toLowerCase()) &&
      isListed(group),
  )
  const sorted = sortBy(found, sort, (group) => group[order_by].toLowerCase())
  return pageOf(sorted, params, async (group) => {
    if (search !== '') return pick(group, 'id', 'name', 'path', 'description')
    return { ...showGroup(world, group), ...(withStatistics && { statistics: await groupStatistics(world, group) }) }
  })
}

/** Users see their own groups unless they ask for all; administrators see all, as in GitLab. */
function listedTest(
  world: World,
  caller: User | null,
  { owned = false, all_available }: { owned?: boolean; all_available?: boolean },
): (group: Group) => boolean {
  if (caller === null) return (group) => !owned && canSeeGroup(world, caller, group)
  const all = all_available ?? caller.is_admin
  return (group) =>
    ((all && isOpenTo(caller, group)) || takesPartIn(world, caller, group)) &&
    (!owned || memberLevelInGroup(world, caller, group) >= owner)
}

function showDetails(world: World, group: Group, caller: User | null) {
  const links = world.shareLinks.where('group', group.id).filter((link) => !hasEnded(link))
  return {
    ...showGroup(world, group),
    projects: showProjects(world, caller, world.projects.where('namespace', group.id)),
    shared_projects: showProjects(
      world,
      caller,
      links.map((link) => projectById(world, link.project_id)),
    ),
    shared_runners_minutes_limit: group.shared_runners_minutes_limit ?? 0,
  }
}

/** Those that the caller sees, newest first. */
function showProjects(world: World, caller: User | null, projects: readonly Project[]) {
  const visible = projects.filter((project) => canSeeProject(world, caller, project))
  return visible.sort((a, b) => b.id - a.id).map((project) => showProject(world, project, caller))
}

function removeLinks(world: World, caller: User, id: number | string, isMeant: (link: LdapLink) => boolean) {
  requirePremium(world)
  const group = findGroupFor(world, caller, id, owner)
  const found = world.ldapLinks.where('group', group.id).filter(isMeant)
  if (found.length === 0) throw notFound('LDAP Group Link')
  for (const link of found) world.ldapLinks.remove(link.id)
  return null
}
