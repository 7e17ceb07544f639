// Opens a merge request (api-v4.md §4.2).
import { branchHead } from '../git/refs.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { MergeRequest, Project, User } from '../records.ts'
import { invalid } from '../refusal.ts'
import { nextNumber, now, type World } from '../world.ts'
import { ensureLabels, splitLabels } from './labels.ts'
import { checkAssignee, refuseSecond } from './preconditions.ts'
import { measure } from './status.ts'

export interface NewMergeRequest {
  source_branch: string
  target_branch: string
  title: string
  description?: string | undefined
  assignee_id?: number | '' | undefined
  target_project_id?: number | undefined
  labels?: string | undefined
  milestone_id?: number | '' | undefined
  remove_source_branch?: boolean | undefined
  approvals_before_merge?: number | undefined
  squash?: boolean | undefined
}

/** An iid is never used again. */
export async function createMergeRequest(world: World, project: Project, author: User, wanted: NewMergeRequest): Promise<MergeRequest> {
  const { source_branch, target_branch } = wanted
  if (wanted.target_project_id !== undefined && wanted.target_project_id !== project.id) {
    throw invalid('validate_fork', 'Source project is not a fork of the target project')
  }
  if (wanted.title.trim() === '') throw invalid('title', "can't be blank")
  if (wanted.milestone_id !== undefined && wanted.milestone_id !== '' && wanted.milestone_id !== 0)
    throw invalid('milestone_id', 'is invalid')
  if (source_branch === target_branch) throw invalid('branch_conflict', "You can't use same project/branch for source and target")
  const sha = await branchHead(world, project.id, source_branch)
  if (sha === undefined) throw invalid('source_branch', 'does not exist')
  if ((await branchHead(world, project.id, target_branch)) === undefined) throw invalid('target_branch', 'does not exist')
  refuseSecond(world, project.id, source_branch, target_branch)
  const assignee_id = checkAssignee(world, project, wanted.assignee_id || 0)
  const labels = splitLabels(wanted.labels ?? '')
  ensureLabels(world, project.id, labels)
  const measured = await measure(world, { project_id: project.id, target_branch, sha })
  const time = now(world)
  const mr = world.mergeRequests.add({
    ...measured,
    id: nextNumber(world, 'merge requests'),
    iid: nextNumber(world, `merge requests of ${project.id}`),
    project_id: project.id,
    source_project_id: project.id,
    source_branch,
    target_branch,
    title: wanted.title,
    description: wanted.description ?? '',
    state: 'opened',
    created_at: time,
    updated_at: time,
    author_id: author.id,
    assignee_id,
    milestone_id: null,
    labels,
    sha,
    merge_status: 'unchecked',
    merge_status_of: null,
    merge_when_pipeline_succeeds: false,
    auto_merge: null,
    merge_commit_sha: null,
    merge_error: null,
    merged_by_id: null,
    should_remove_source_branch: null,
    force_remove_source_branch: wanted.remove_source_branch ?? false,
    squash: wanted.squash ?? false,
    discussion_locked: false,
    approvals_before_merge: approvalsFor(project, wanted.approvals_before_merge),
    approved_by: [],
    // Author and assignee take part, which is as good as a subscription.
    subscriber_ids: [...new Set([author.id, ...(assignee_id === null ? [] : [assignee_id])])],
    time_estimate: 0,
    total_time_spent: 0,
  })
  await sendMergeRequest(world, mr, author, 'open', { changes: { merge_status: { previous: 'preparing', current: 'unchecked' } } })
  return mr
}

/** The project's number, unless it asks for approvals and a higher number is given (api-v4.md §4.2). */
function approvalsFor(project: Project, given: number | undefined): number | null {
  const ofProject = project.approvals_before_merge
  return given !== undefined && ofProject > 0 && given > ofProject ? given : ofProject
}
