// Groups.
import type { Api } from '../../api/index.ts'
import { findGroup, findGroupFor, findProject, owner } from '../access/access.ts'
import { createGroup, removeGroup, transferProject, updateGroup } from '../groups/change.ts'
import { type GroupFilters, selectGroups } from '../groups/select.ts'
import { showGroupDetails, showUpdatedGroup } from '../groups/show.ts'
import { forbidden } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { listProjects } from '../projects/select.ts'
import { groupStatistics } from '../projects/statistics.ts'
import type { Group, User } from '../records/records.ts'
import { showGroup } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'
import { groupHooks } from './hooks.ts'
import { ldapLinks, ldapSync } from './ldap-links.ts'
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
    const { projects, shared_projects, ...group } = showGroupDetails(world, findGroup(world, caller, params.id), caller)
    return params.with_projects ? { ...group, projects, shared_projects } : group
  },

  create: ({ params, caller, world }) => showGroup(world, createGroup(world, caller, params)),

  transferProject({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    const group = findGroup(world, caller, params.id)
    transferProject(world, findProject(world, caller, params.project_id), group)
    return showGroupDetails(world, group, caller)
  },

  update({ params: { id, ...given }, caller, world }) {
    const group = findGroupFor(world, caller, id, owner)
    return showUpdatedGroup(world, updateGroup(world, caller, group, given), caller)
  },

  async delete({ params, caller, world }) {
    await removeGroup(world, findGroupFor(world, caller, params.id, owner), caller)
    return { message: '202 Accepted' }
  },

  ldapSync,
  ldapLinks,
  hooks: groupHooks,
  members: groupMembers,
  milestones: groupMilestones,
}

/** A search shows less of each group; statistics are for administrators who ask. */
function pageOfGroups(
  world: World,
  caller: User | null,
  among: readonly Group[],
  params: GroupFilters & { statistics?: boolean; page: number; per_page: number },
) {
  const withStatistics = params.statistics === true && caller?.is_admin === true
  return pageOf(selectGroups(world, caller, among, params), params, async (group) => {
    const { id, name, path, description } = group
    if (params.search) return { id, name, path, description }
    return { ...showGroup(world, group), ...(withStatistics && { statistics: await groupStatistics(world, group) }) }
  })
}
