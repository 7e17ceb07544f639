// Sharing a project with a group (api-v4.md §4.3); what a share lets its members do is in access.ts.
import type { Api } from '../../api/index.ts'
import { findGroup, findProjectFor, maintainer, projectLevel } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import { checkExpiry, hasEnded } from '../expiry.ts'
import type { Handlers } from '../handler.ts'
import { lineage } from '../namespaces.ts'
import type { ShareLink } from '../records.ts'
import { forbidden, notFound, refuse } from '../refusal.ts'
import { nextNumber, type World } from '../world.ts'

export const share: Handlers<Pick<Api['projects'], 'share' | 'unshare'>> = {
  share({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    refuseArchived(project)
    const group = findGroup(world, caller, params.group_id)
    const { group_access } = params
    // Nobody hands out more than they have.
    if (group_access > projectLevel(world, caller, project)) throw forbidden()
    const own = world.groups.get(project.namespace_id)
    const above = own === undefined ? [] : lineage(world, own)
    if (above.some((each) => each.share_with_group_lock)) throw refuse(403, '403 Forbidden - The project sharing with group is disabled')
    if (above.some((each) => each.id === group.id)) {
      throw refuse(409, 'Project cannot be shared with the group it is in or one of its ancestors.')
    }
    const expires_at = checkExpiry(params.expires_at)
    const link = findLink(world, project.id, group.id)
    if (link !== undefined && !hasEnded(link)) throw refuse(409, 'The project is already shared with this group')
    if (link !== undefined) world.shareLinks.remove(link.id)
    return world.shareLinks.add({
      id: nextNumber(world, 'shareLinks'),
      project_id: project.id,
      group_id: group.id,
      group_access,
      expires_at,
    })
  },

  unshare({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    refuseArchived(project)
    const link = findLink(world, project.id, params.group_id)
    if (link === undefined) throw notFound('Group Link')
    world.shareLinks.remove(link.id)
    return null
  },
}

function findLink(world: World, projectId: number, groupId: number): ShareLink | undefined {
  return world.shareLinks.where('project', projectId).find((link) => link.group_id === groupId)
}
