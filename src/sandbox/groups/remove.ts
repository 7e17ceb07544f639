// Removes a group with its subgroups and projects (api-v4.md §4.1).
import { subtree } from '../access/namespaces.ts'
import { removeProject } from '../projects/remove.ts'
import type { Group, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

/** Called under the lock of `namespaces`. */
export async function removeGroup(world: World, group: Group, by: User): Promise<void> {
  const groups = subtree(world, group)
  // Read again each time: a fork may be added meanwhile.
  const nextProject = () =>
    groups.map(({ id }) => world.projects.first('namespace', id)).find((project) => project !== undefined)
  for (let project = nextProject(); project !== undefined; project = nextProject())
    await removeProject(world, project, by)
  for (const { id } of groups) {
    for (const member of world.members.where('source', `group:${id}`)) world.members.remove(member.id)
    for (const link of world.shareLinks.where('group', id)) world.shareLinks.remove(link.id)
    for (const hook of world.groupHooks.where('group', id)) world.groupHooks.remove(hook.id)
    for (const link of world.ldapLinks.where('group', id)) world.ldapLinks.remove(link.id)
    for (const milestone of world.milestones.where('group', id)) world.milestones.remove(milestone.id)
    world.groups.remove(id)
  }
}
