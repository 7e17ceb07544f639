// Creates, updates, closes and reopens merge requests.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canReadCode, developer, projectLevel, refuseArchived } from '../access/access.ts'
import { announcedHead } from '../git/refs.ts'
import { mergeRequestChanges, sendMergeRequest } from '../hooks/merge-request.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { retryTrain } from '../merging/merge-train.ts'
import { noteChanges } from '../notes/write.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { copyHead, descendsFrom, sourceHead } from './find.ts'
import { recordVersion } from './follow-source.ts'
import { ensureLabels, labelsAfter, recordLabelEvents, sameLabels } from './labels.ts'
import {
  mayTriage,
  readAssignees,
  readMilestone,
  readPeople,
  refuseDuplicate,
  refuseSameBranch,
} from './preconditions.ts'
import { measure, noAutoMerge } from './status.ts'

type MergeRequestUpdate = Omit<CheckedParams<Api['mergeRequests']['update']>, 'id' | 'merge_request_iid'>
type Patch = Partial<MergeRequest>

/** Without a change, nothing is sent. */
export async function updateMergeRequest(
  world: World,
  project: Project,
  mr: MergeRequest,
  user: User,
  wanted: MergeRequestUpdate,
): Promise<MergeRequest> {
  if (wanted.title?.trim() === '') throw invalid('title', "can't be blank")
  const patch = {
    ...pick(wanted, 'title', 'description', 'squash'),
    force_remove_source_branch: wanted.remove_source_branch,
    ...(mayTriage(world, user, project) && triageOf(world, project, mr, wanted)),
    ...(await targetOf(world, mr, wanted)),
    ...(await stateOf(world, mr, wanted)),
  }
  const differs = Object.entries(patch).some(
    ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(mr[key as keyof MergeRequest]),
  )
  if (!differs) return mr
  ensureLabels(world, project.id, patch.labels ?? [])
  const updated = world.mergeRequests.update(mr.id, { ...patch, updated_at: now(world) })
  // It may have left its train.
  retryTrain(world, mr)
  recordLabelEvents(world, user, mr.labels, { type: 'MergeRequest', record: updated })
  noteChanges(world, mr, updated, user)
  if (patch.base_sha !== undefined) await recordVersion(world, updated)
  const action = updated.state === mr.state ? 'update' : updated.state === 'closed' ? 'close' : 'reopen'
  await sendMergeRequest(world, updated, user, action, { changes: mergeRequestChanges(world, mr, updated) })
  return updated
}

function triageOf(
  world: World,
  project: Project,
  mr: Pick<MergeRequest, 'labels' | 'assignee_ids' | 'subscriber_ids'>,
  wanted: Omit<MergeRequestUpdate, 'state_event'>,
) {
  const { discussion_locked, milestone_id: milestone, reviewer_ids: reviewers } = wanted
  const milestone_id = milestone === undefined ? undefined : readMilestone(world, project, milestone)
  const after = labelsAfter(mr.labels, wanted)
  const labels = sameLabels(after, mr.labels) ? undefined : after
  const reviewer_ids = reviewers && readPeople(world, project, reviewers)
  const assignee_ids = readAssignees(world, project, wanted)
  const before = [...mr.assignee_ids, ...mr.subscriber_ids]
  const added = assignee_ids?.filter((id) => !before.includes(id)) ?? []
  const subscriber_ids = added.length === 0 ? undefined : [...mr.subscriber_ids, ...added]
  return { discussion_locked, milestone_id, labels, reviewer_ids, assignee_ids, subscriber_ids }
}

async function targetOf(world: World, mr: MergeRequest, { target_branch }: MergeRequestUpdate): Promise<Patch> {
  if (target_branch === undefined || target_branch === mr.target_branch) return {}
  if (mr.state === 'merged') throw invalid('target_branch', 'cannot be changed once merged')
  refuseSameBranch({ ...mr, target_branch })
  if (announcedHead(world, mr.project_id, target_branch) === undefined) throw invalid('target_branch', 'does not exist')
  if (mr.state === 'opened') refuseDuplicate(world, { ...mr, target_branch })
  return {
    target_branch,
    merge_status: 'unchecked',
    // A train goes to one target.
    ...(mr.auto_merge?.by_train === true && noAutoMerge),
    ...(await measure(world, { ...mr, target_branch })),
  }
}

/** state_event does nothing to a merged one. */
async function stateOf(world: World, mr: MergeRequest, { state_event, target_branch }: MergeRequestUpdate) {
  if (state_event === 'close' && mr.state === 'opened') {
    return { state: 'closed', ...noAutoMerge, closed_at: now(world) }
  }
  if (state_event !== 'reopen' || mr.state !== 'closed') return {}
  const target = target_branch ?? mr.target_branch
  refuseDuplicate(world, { ...mr, target_branch: target })
  // Pushes to a closed merge request were not followed.
  const sha = await sourceHead(world, mr)
  if (sha === undefined) throw invalid('source_branch', 'does not exist')
  await copyHead(world, mr, sha)
  return {
    state: 'opened',
    closed_at: null,
    sha,
    merge_status: 'unchecked',
    ...(await measure(world, { ...mr, sha, target_branch: target })),
  }
}

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
  const before = { labels: [], assignee_ids: [], subscriber_ids: [] }
  const triage: Partial<ReturnType<typeof triageOf>> = mayTriage(world, author, target)
    ? triageOf(world, target, before, wanted)
    : {}
  const { labels = [], assignee_ids = [], reviewer_ids = [], milestone_id = null } = triage
  refuseSameBranch(branches)
  const sha = announcedHead(world, source.id, source_branch)
  if (sha === undefined) throw invalid('source_branch', 'does not exist')
  if (announcedHead(world, target.id, target_branch) === undefined) throw invalid('target_branch', 'does not exist')
  refuseDuplicate(world, branches)
  const iid = nextNumber(world, `merge requests of ${target.id}`)
  await copyHead(world, { ...branches, iid }, sha)
  const measured = await measure(world, { ...branches, sha })
  ensureLabels(world, target.id, labels)
  const time = now(world)
  const mr = world.mergeRequests.add({
    ...branches,
    ...measured,
    ...{ labels, assignee_ids, reviewer_ids, milestone_id },
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
    merged_at: null,
    closed_at: null,
    force_remove_source_branch: wanted.remove_source_branch ?? false,
    squash: wanted.squash ?? ['always', 'default_on'].includes(target.squash_option),
    discussion_locked: false,
    approvals_before_merge: approvalsFor(target, wanted.approvals_before_merge),
    approved_by: [],
    // Author and assignees participate, which subscribes them.
    subscriber_ids: [...new Set([author.id, ...assignee_ids])],
    time_estimate: 0,
    total_time_spent: 0,
  })
  recordLabelEvents(world, author, [], { type: 'MergeRequest', record: mr })
  noteChanges(world, { ...mr, reviewer_ids: [] }, mr, author)
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

/** A higher number than the project's counts only if the project requires approvals. */
function approvalsFor(project: Project, given: number | undefined): number | null {
  const ofProject = project.approvals_before_merge
  return given !== undefined && ofProject > 0 && given > ofProject ? given : ofProject
}
