// Removing a group with its subgroups and all their projects (api-v4.md §4.1).
import { subtree } from '../namespaces.ts'
import { removeProject } from '../projects/remove.ts'
import type { Group, Project, User } from '../records.ts'
import type { World } from '../world.ts'

/** Called under the lock of `namespaces`: no other group is made or removed meanwhile. */
export async function removeGroup(world: World, group: Group, by: User): Promise<void> {
  const groups = subtree(world, group)
  // Asked for again each time: a fork may come in while a project is being removed.
  const nextProject = (): Project | undefined =>
    groups.map(({ id }) => world.projects.first('namespace', id)).find((project) => project !== undefined)
  for (let project = nextProject(); project !== undefined; project = nextProject()) await removeProject(world, project, by)
  for (const { id } of groups) {
    for (const member of world.members.where('source', `group:${id}`)) world.members.remove(member.id)
    for (const link of world.shareLinks.where('group', id)) world.shareLinks.remove(link.id)
    for (const link of world.ldapLinks.where('group', id)) world.ldapLinks.remove(link.id)
    world.groups.remove(id)
  }
}
