// What an update changed, as the hook's `changes` tell it (hosting-service.md §2.2).
import { labelsNamed } from '../merge-requests/labels.ts'
import { isDraft } from '../merge-requests/status.ts'
import type { MergeRequest } from '../records.ts'
import { userById, type World } from '../world.ts'
import { type Changes, stateIds } from './merge-request.ts'
import { hookLabel, hookUser } from './parts.ts'

/** Each field that differs, before and after; labels and assignees as objects. */
export function changesBetween(world: World, before: MergeRequest, after: MergeRequest): Changes {
  const [previous, current] = [told(world, before), told(world, after)]
  const differing = Object.keys(current).filter((field) => JSON.stringify(previous[field]) !== JSON.stringify(current[field]))
  return Object.fromEntries(differing.map((field) => [field, { previous: previous[field], current: current[field] }]))
}

function told(world: World, mr: MergeRequest): Record<string, unknown> {
  const { title, description, target_branch, milestone_id, squash, discussion_locked, updated_at } = mr
  return {
    title,
    description,
    target_branch,
    draft: isDraft(mr),
    state_id: stateIds[mr.state],
    milestone_id,
    squash,
    discussion_locked,
    labels: labelsNamed(world, mr.project_id, mr.labels).map(hookLabel),
    assignees: mr.assignee_id === null ? [] : [hookUser(userById(world, mr.assignee_id))],
    reviewers: mr.reviewer_ids.map((id) => hookUser(userById(world, id))),
    updated_at,
  }
}
