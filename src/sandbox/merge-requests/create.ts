// Opens a merge request (api-v4.md §4.2).
import { canReadCode, developer, projectLevel } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import { branchHead } from '../git/refs.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { MergeRequest, Project, User } from '../records.ts'
import { forbidden, invalid } from '../refusal.ts'
import { nextNumber, now, type World } from '../world.ts'
import { ensureLabels, readLabels, recordLabelEvents } from './labels.ts'
import { checkAssignee, maySort, readMilestone, refuseSameBranch, refuseSecond } from './preconditions.ts'
import { descendsFrom, takeHead } from './source.ts'
import { measure } from './status.ts'
import { recordVersion } from './versions.ts'

export interface NewMergeRequest {
  source_branch: string
  target_branch: string
  title: string
  description?: string | undefined
  assignee_id?: number | '' | undefined
  labels?: string | undefined
  milestone_id?: number | '' | undefined
  remove_source_branch?: boolean | undefined
  approvals_before_merge?: number | undefined
  squash?: boolean | undefined
}

/** The project to merge into: the given one, which the source has to be forked from, or the source itself. */
export function findTarget(world: World, caller: User, source: Project, id: number | undefined): Project {
  if (id === undefined || id === source.id) return source
  const target = world.projects.get(id)
  // What the caller may not see is as unrelated as what does not exist.
  if (target === undefined || !descendsFrom(world, source, target) || !canReadCode(world, caller, target)) {
    throw invalid('validate_fork', 'Source project is not a fork of the target project')
  }
  return target
}

/** Opens it in the target, under whose lock this is called. An iid is never used again. */
export async function createMergeRequest(
  world: World,
  { source, target, author }: { source: Project; target: Project; author: User },
  wanted: NewMergeRequest,
): Promise<MergeRequest> {
  refuseStranger(world, source, target, author)
  if (wanted.title.trim() === '') throw invalid('title', "can't be blank")
  const { source_branch, target_branch } = wanted
  const branches = { project_id: target.id, source_project_id: source.id, source_branch, target_branch }
  const sorted = sortingOf(world, target, author, wanted)
  refuseSameBranch(branches)
  const sha = await branchHead(world, source.id, source_branch)
  if (sha === undefined) throw invalid('source_branch', 'does not exist')
  if ((await branchHead(world, target.id, target_branch)) === undefined) throw invalid('target_branch', 'does not exist')
  refuseSecond(world, branches)
  const iid = nextNumber(world, `merge requests of ${target.id}`)
  await takeHead(world, { ...branches, iid }, sha)
  const measured = await measure(world, { ...branches, sha })
  ensureLabels(world, target.id, sorted.labels)
  const time = now(world)
  const mr = world.mergeRequests.add({
    ...branches,
    ...measured,
    ...sorted,
    reviewer_ids: [],
    id: nextNumber(world, 'merge requests'),
    iid,
    title: wanted.title,
    description: wanted.description ?? '',
    state: 'opened',
    created_at: time,
    updated_at: time,
    author_id: author.id,
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
    approvals_before_merge: approvalsFor(target, wanted.approvals_before_merge),
    approved_by: [],
    // Author and assignee take part, which is as good as a subscription.
    subscriber_ids: [...new Set([author.id, ...(sorted.assignee_id === null ? [] : [sorted.assignee_id])])],
    time_estimate: 0,
    total_time_spent: 0,
  })
  recordLabelEvents(world, author, [], mr)
  await recordVersion(world, mr)
  await sendMergeRequest(world, mr, author, 'open', { changes: { merge_status: { previous: 'preparing', current: 'unchecked' } } })
  return mr
}

/** One opens merge requests from where one may push, or into it. */
function refuseStranger(world: World, source: Project, target: Project, author: User): void {
  if (!target.merge_requests_enabled) throw forbidden()
  const level = Math.max(projectLevel(world, author, source), projectLevel(world, author, target))
  if (level < developer) throw forbidden()
  refuseArchived(source)
  refuseArchived(target)
}

function sortingOf(
  world: World,
  target: Project,
  author: User,
  wanted: NewMergeRequest,
): Pick<MergeRequest, 'assignee_id' | 'milestone_id' | 'labels'> {
  if (!maySort(world, author, target)) return { assignee_id: null, milestone_id: null, labels: [] }
  return {
    assignee_id: checkAssignee(world, target, wanted.assignee_id ?? 0),
    milestone_id: readMilestone(world, target, wanted.milestone_id ?? 0),
    labels: readLabels(wanted.labels ?? ''),
  }
}

/** The project's number, unless it asks for approvals and a higher number is given (api-v4.md §4.2). */
function approvalsFor(project: Project, given: number | undefined): number | null {
  const ofProject = project.approvals_before_merge
  return given !== undefined && ofProject > 0 && given > ofProject ? given : ofProject
}
