// The jobs of the merge-requests lane.
import type { MergeRequestRef } from '../rules/types.ts'

/** One job names the merge request and nothing else: what happened is in its mailbox. */
export type MergeRequestJob = MergeRequestRef

/** One merge request's name in logs and as the key of "one at a time". */
export function keyOf({ service, project, iid }: MergeRequestRef): string {
  return `${service}/${project}!${iid}`
}
