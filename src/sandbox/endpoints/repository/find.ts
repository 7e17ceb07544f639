// The project and the commit that a call about a repository names, for those who may.
import { developer, findProjectFor } from '../../access.ts'
import { refuseArchived } from '../../archived.ts'
import { resolveCommit } from '../../git/refs.ts'
import type { Project, User } from '../../records.ts'
import { notFound } from '../../refusal.ts'
import type { World } from '../../world.ts'

/** The project behind `:id` for someone who may push to it: 403 otherwise, and for archived ones. */
export function findPushableProject(world: World, caller: User, id: number | string): Project {
  const project = findProjectFor(world, caller, id, developer)
  refuseArchived(project)
  return project
}

/** The commit that a branch, a tag or a sha names. */
export async function findCommit(world: World, project: Project, name: string): Promise<string> {
  const sha = await resolveCommit(world, project.id, name)
  if (sha === undefined) throw notFound('Commit')
  return sha
}
