// The jobs of the merge-requests lane.
import { isProject } from '../rules/project-ref.ts'
import type { MergeRequestRef } from '../rules/types.ts'

/** One job names the merge request, or the project itself, and nothing else: what happened is in its mailbox. */
export type MergeRequestJob = MergeRequestRef

/** One merge request's name in logs and as the key of "one at a time"; of the project itself, the project's. */
export function keyOf({ service, project, iid }: MergeRequestRef): string {
  if (isProject({ iid })) return `${service}/${project}`
  return `${service}/${project}!${iid}`
}
