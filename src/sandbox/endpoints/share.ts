// Shares a project with a group.
import type { Api } from '../../api/index.ts'
import { findGroup, findProjectToChange, maintainer, projectLevel } from '../access/access.ts'
import { checkExpiry, hasEnded } from '../access/expiry.ts'
import { lineage } from '../access/namespaces.ts'
import { forbidden, notFound, refuse } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import type { ShareLink } from '../records/records.ts'
import { nextNumber, type World } from '../storage/world.ts'

export const share: Handlers<Pick<Api['projects'], 'share' | 'unshare'>> = {
  share({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const group = findGroup(world, caller, params.group_id)
    const { group_access } = params
    // Nobody grants more than they have.
    if (group_access > projectLevel(world, caller, project)) throw forbidden()
    const own = world.groups.get(project.namespace_id)
    const above = own === undefined ? [] : lineage(world, own)
    if (above.some((each) => each.share_with_group_lock))
      throw refuse(403, '403 Forbidden - The project sharing with group is disabled')
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
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const link = findLink(world, project.id, params.group_id)
    if (link === undefined) throw notFound('Group Link')
    world.shareLinks.remove(link.id)
    return null
  },
}

function findLink(world: World, projectId: number, groupId: number): ShareLink | undefined {
  return world.shareLinks.where('project', projectId).find((link) => link.group_id === groupId)
}
