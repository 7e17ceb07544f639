// What has to hold before a merge request may be opened, reopened or assigned (hosting-service.md §3.3).
import { memberLevelIn } from '../access.ts'
import type { Project } from '../records.ts'
import { refuse } from '../refusal.ts'
import type { World } from '../world.ts'

/** One open merge request for a pair of branches. */
export function refuseSecond(world: World, projectId: number, source: string, target: string, except?: number): void {
  const other = world.mergeRequests
    .where('project', projectId)
    .find((mr) => mr.state === 'opened' && mr.source_branch === source && mr.target_branch === target && mr.id !== except)
  if (other !== undefined) throw refuse(409, [`Another open merge request already exists for this source branch: !${other.iid}`])
}

/** The assignee, who has to be able to see the merge request; 0 means nobody. */
export function checkAssignee(world: World, project: Project, id: number): number | null {
  if (id === 0) return null
  const user = world.users.get(id)
  // An unfit assignee is left out, as real installations do.
  if (user === undefined) return null
  return project.visibility === 'private' && memberLevelIn(world, user, project) === 0 && !user.is_admin ? null : id
}
