// Where a merge request's commits come from: a branch of its own project, or of a fork (api-v4.md §4.2).
import { fetchInto } from '../git/fetch-local.ts'
import type { MergeRequest, Project } from '../records.ts'
import type { World } from '../world.ts'

/** Whether a project was forked from another, or from one that was. */
export function descendsFrom(world: World, fork: Project, origin: Project): boolean {
  const seen = new Set<number>()
  let project: Project | undefined = fork
  while (project !== undefined && project.forked_from_id !== null && !seen.has(project.id)) {
    if (project.forked_from_id === origin.id) return true
    seen.add(project.id)
    project = world.projects.get(project.forked_from_id)
  }
  return false
}

/** Brings the head into the target project, where it stays whatever becomes of the branch; git finds it at `refs/merge-requests/:iid/head`. */
export async function takeHead(
  world: World,
  mr: Pick<MergeRequest, 'iid' | 'project_id' | 'source_project_id'>,
  sha: string,
): Promise<void> {
  await fetchInto(world, mr.source_project_id, mr.project_id, sha, `refs/merge-requests/${mr.iid}/head`)
}
