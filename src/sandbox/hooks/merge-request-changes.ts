// The `changes` of a merge request payload (hosting-service.md §2.2).
import { labelsNamed } from '../merge-requests/labels.ts'
import { isDraft } from '../merge-requests/status.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { type Changes, stateIds } from './merge-request.ts'
import { hookLabel, hookUsers } from './parts.ts'

/** Fields that differ; labels and assignees as objects. */
export function changesBetween(world: World, before: MergeRequest, after: MergeRequest): Changes {
  const [previous, current] = [shownFields(world, before), shownFields(world, after)]
  const differing = Object.keys(current).filter(
    (field) => JSON.stringify(previous[field]) !== JSON.stringify(current[field]),
  )
  return Object.fromEntries(differing.map((field) => [field, { previous: previous[field], current: current[field] }]))
}

function shownFields(world: World, mr: MergeRequest): Record<string, unknown> {
  return {
    ...pick(mr, 'title', 'description', 'target_branch', 'milestone_id', 'squash', 'discussion_locked', 'updated_at'),
    draft: isDraft(mr),
    state_id: stateIds[mr.state],
    labels: labelsNamed(world, mr.project_id, mr.labels).map(hookLabel),
    assignees: hookUsers(world, [mr.assignee_id]),
    reviewers: hookUsers(world, mr.reviewer_ids),
  }
}
