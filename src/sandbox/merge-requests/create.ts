// Creates merge requests.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canReadCode, developer, projectLevel, refuseArchived } from '../access/access.ts'
import { announcedHead } from '../git/refs.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { recordVersion } from './follow-source.ts'
import { ensureLabels, readLabels, recordLabelEvents } from './labels.ts'
import {
  mayTriage,
  readAssignees,
  readMilestone,
  readPeople,
  refuseDuplicate,
  refuseSameBranch,
} from './preconditions.ts'
import { copyHead, descendsFrom } from './source.ts'
import { measure, noAutoMerge } from './status.ts'

type NewMergeRequest = Omit<CheckedParams<Api['mergeRequests']['create']>, 'id' | 'target_project_id'>

/** The given project, which must be an ancestor of the source, or the source itself. */
export function findTarget(world: World, caller: User, source: Project, id: number | undefined): Project {
  if (id === undefined || id === source.id) return source
  const target = world.projects.get(id)
  // A hidden project counts as unrelated.
  if (target === undefined || !descendsFrom(world, source, target) || !canReadCode(world, caller, target)) {
    throw invalid('validate_fork', 'Source project is not a fork of the target project')
  }
  return target
}

/** Called under the target's lock. */
export async function createMergeRequest(
  world: World,
  { source, target, author }: { source: Project; target: Project; author: User },
  wanted: NewMergeRequest,
): Promise<MergeRequest> {
  checkRights(world, source, target, author)
  if (wanted.title.trim() === '') throw invalid('title', "can't be blank")
  const { source_branch, target_branch } = wanted
  const branches = { project_id: target.id, source_project_id: source.id, source_branch, target_branch }
  const triage = triageOf(world, target, author, wanted)
  refuseSameBranch(branches)
  const sha = announcedHead(world, source.id, source_branch)
  if (sha === undefined) throw invalid('source_branch', 'does not exist')
  if (announcedHead(world, target.id, target_branch) === undefined) throw invalid('target_branch', 'does not exist')
  refuseDuplicate(world, branches)
  const iid = nextNumber(world, `merge requests of ${target.id}`)
  await copyHead(world, { ...branches, iid }, sha)
  const measured = await measure(world, { ...branches, sha })
  ensureLabels(world, target.id, triage.labels)
  const time = now(world)
  const mr = world.mergeRequests.add({
    ...branches,
    ...measured,
    ...triage,
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
    ...noAutoMerge,
    merge_commit_sha: null,
    squash_commit_sha: null,
    merge_error: null,
    merged_by_id: null,
    force_remove_source_branch: wanted.remove_source_branch ?? false,
    squash: wanted.squash ?? ['always', 'default_on'].includes(target.squash_option),
    discussion_locked: false,
    approvals_before_merge: approvalsFor(target, wanted.approvals_before_merge),
    approved_by: [],
    // Author and assignees participate, which subscribes them.
    subscriber_ids: [...new Set([author.id, ...triage.assignee_ids])],
    time_estimate: 0,
    total_time_spent: 0,
  })
  recordLabelEvents(world, author, [], { type: 'MergeRequest', record: mr })
  await recordVersion(world, mr)
  await sendMergeRequest(world, mr, author, 'open', {
    changes: { merge_status: { previous: 'preparing', current: 'unchecked' } },
  })
  await world.ci.moved(world, mr, author)
  return mr
}

/** Needs Developer in the source or the target. */
function checkRights(world: World, source: Project, target: Project, author: User) {
  if (!target.merge_requests_enabled) throw forbidden()
  const level = Math.max(projectLevel(world, author, source), projectLevel(world, author, target))
  if (level < developer) throw forbidden()
  refuseArchived(source)
  refuseArchived(target)
}

function triageOf(
  world: World,
  target: Project,
  author: User,
  wanted: NewMergeRequest,
): Pick<MergeRequest, 'assignee_ids' | 'reviewer_ids' | 'milestone_id' | 'labels'> {
  if (!mayTriage(world, author, target)) return { assignee_ids: [], reviewer_ids: [], milestone_id: null, labels: [] }
  return {
    assignee_ids: readAssignees(world, target, wanted) ?? [],
    reviewer_ids: readPeople(world, target, wanted.reviewer_ids ?? []),
    milestone_id: readMilestone(world, target, wanted.milestone_id ?? 0),
    labels: readLabels(wanted.labels ?? ''),
  }
}

/** A higher number than the project's counts only if the project requires approvals. */
function approvalsFor(project: Project, given: number | undefined): number | null {
  const ofProject = project.approvals_before_merge
  return given !== undefined && ofProject > 0 && given > ofProject ? given : ofProject
}
