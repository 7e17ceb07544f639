// The merge requests that mention an issue, or close it, in title and description.
import type { IssueRecord, MergeRequest } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { type ClosingReference, closingReferences, issueReferences } from './closing-references.ts'

/** How many merge requests of its project say that they close it; commits do not count here, since that costs git. */
export function countClosing(world: World, issue: IssueRecord): number {
  const target = projectById(world, issue.project_id).default_branch
  return world.mergeRequests
    .where('project', issue.project_id)
    .filter((mr) => mr.target_branch === target && names(world, mr, issue, closingReferences)).length
}

/** Whether title or description name the issue. */
export function mentions(world: World, mr: MergeRequest, issue: IssueRecord): boolean {
  return names(world, mr, issue, issueReferences)
}

function names(
  world: World,
  mr: MergeRequest,
  { project_id, iid }: IssueRecord,
  read: (text: string, url: string) => ClosingReference[],
): boolean {
  // Most texts do not name the issue: this test is cheaper than reading their references.
  const texts = [mr.title, mr.description].filter((text) => text.includes(`#${iid}`) || text.includes(`/${iid}`))
  return texts
    .flatMap((text) => read(text, world.url))
    .some((reference) => reference.iid === iid && projectNamed(world, mr, reference.path)?.id === project_id)
}

/** `#4` is in the merge request's project, `app#4` in a sibling, `group/app#4` anywhere. */
export function projectNamed(world: World, mr: MergeRequest, path: string | null) {
  if (path === null) return projectById(world, mr.project_id)
  const own = projectById(world, mr.project_id).path_with_namespace
  const full = path.includes('/') ? path : `${own.slice(0, own.lastIndexOf('/'))}/${path}`
  return world.projects.first('path', full.toLowerCase())
}
