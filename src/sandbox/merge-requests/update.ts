// Updates a merge request, closes and reopens it (api-v4.md §3.1, §4.2).
import { branchHead } from '../git/refs.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { changesBetween } from '../hooks/merge-request-changes.ts'
import type { MergeRequest, Project, User } from '../records.ts'
import { invalid } from '../refusal.ts'
import { now, type World } from '../world.ts'
import { ensureLabels, readLabels, recordLabelEvents, splitLabels } from './labels.ts'
import { maySort, readAssignee, readMilestone, readReviewers, refuseSameBranch, refuseSecond } from './preconditions.ts'
import { takeHead } from './source.ts'
import { sourceHead } from './source-head.ts'
import { measure } from './status.ts'
import { recordVersion } from './versions.ts'

interface Sorting {
  assignee_id?: number | '' | undefined
  milestone_id?: number | '' | undefined
  labels?: string | undefined
  add_labels?: string | undefined
  remove_labels?: string | undefined
  discussion_locked?: boolean | undefined
  reviewer_ids?: number[] | undefined
}
export interface MergeRequestUpdate extends Sorting {
  target_branch?: string | undefined
  title?: string | undefined
  description?: string | undefined
  state_event?: 'close' | 'reopen' | undefined
  remove_source_branch?: boolean | undefined
  squash?: boolean | undefined
}
type Patch = { -readonly [K in keyof MergeRequest]?: MergeRequest[K] }

/** An update that changes nothing moves nothing and sends no hook. */
export async function updateMergeRequest(
  world: World,
  project: Project,
  mr: MergeRequest,
  user: User,
  wanted: MergeRequestUpdate,
): Promise<MergeRequest> {
  const patch = {
    ...describingOf(wanted),
    ...(maySort(world, user, project) && sortingOf(world, project, mr, wanted)),
    ...(await targetOf(world, mr, wanted)),
    ...(await stateOf(world, mr, wanted)),
  }
  const differs = Object.entries(patch).some(([key, value]) => JSON.stringify(value) !== JSON.stringify(mr[key as keyof MergeRequest]))
  if (!differs) return mr
  ensureLabels(world, project.id, patch.labels ?? [])
  const updated = world.mergeRequests.update(mr.id, { ...patch, updated_at: now(world) })
  recordLabelEvents(world, user, mr.labels, updated)
  if (patch.base_sha !== undefined) await recordVersion(world, updated)
  const action = updated.state === mr.state ? 'update' : updated.state === 'closed' ? 'close' : 'reopen'
  await sendMergeRequest(world, updated, user, action, { changes: changesBetween(world, mr, updated) })
  return updated
}

function describingOf({ title, description, squash, remove_source_branch }: MergeRequestUpdate): Patch {
  if (title !== undefined && title.trim() === '') throw invalid('title', "can't be blank")
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(squash !== undefined && { squash }),
    ...(remove_source_branch !== undefined && { force_remove_source_branch: remove_source_branch }),
  }
}

function sortingOf(world: World, project: Project, mr: MergeRequest, wanted: Sorting): Patch {
  const patch: Patch = {}
  if (wanted.discussion_locked !== undefined) patch.discussion_locked = wanted.discussion_locked
  if (wanted.milestone_id !== undefined) patch.milestone_id = readMilestone(world, project, wanted.milestone_id)
  const labels = labelsOf(mr, wanted)
  if (!sameMembers(labels, mr.labels)) patch.labels = labels
  if (wanted.reviewer_ids !== undefined) patch.reviewer_ids = readReviewers(world, project, wanted.reviewer_ids)
  const assignee_id = wanted.assignee_id === undefined ? undefined : readAssignee(world, project, wanted.assignee_id)
  if (assignee_id === undefined) return patch
  patch.assignee_id = assignee_id
  if (assignee_id !== null && assignee_id !== mr.assignee_id && !mr.subscriber_ids.includes(assignee_id)) {
    patch.subscriber_ids = [...mr.subscriber_ids, assignee_id]
  }
  return patch
}

/** `labels` replaces all, then `add_labels` and `remove_labels` work on what is left. */
function labelsOf(mr: MergeRequest, wanted: Sorting): string[] {
  const base = wanted.labels === undefined ? mr.labels : readLabels(wanted.labels)
  const removed = new Set(splitLabels(wanted.remove_labels ?? ''))
  return [...new Set([...base, ...readLabels(wanted.add_labels ?? '')])].filter((label) => !removed.has(label))
}

async function targetOf(world: World, mr: MergeRequest, { target_branch }: MergeRequestUpdate): Promise<Patch> {
  if (target_branch === undefined || target_branch === mr.target_branch) return {}
  if (mr.state === 'merged') throw invalid('target_branch', 'cannot be changed once merged')
  refuseSameBranch({ ...mr, target_branch })
  if ((await branchHead(world, mr.project_id, target_branch)) === undefined) throw invalid('target_branch', 'does not exist')
  if (mr.state === 'opened') refuseSecond(world, { ...mr, target_branch })
  return { target_branch, merge_status: 'unchecked', ...(await measure(world, { ...mr, target_branch })) }
}

/** What state_event does to one that is merged is not shown on the page: nothing. */
async function stateOf(world: World, mr: MergeRequest, { state_event, target_branch }: MergeRequestUpdate): Promise<Patch> {
  if (state_event === 'close' && mr.state === 'opened') {
    // Gives up a pending merge.
    return { state: 'closed', merge_when_pipeline_succeeds: false, auto_merge: null, should_remove_source_branch: null }
  }
  if (state_event !== 'reopen' || mr.state !== 'closed') return {}
  const target = target_branch ?? mr.target_branch
  refuseSecond(world, { ...mr, target_branch: target })
  // Pushes were not followed while it was closed.
  const sha = await sourceHead(world, mr)
  if (sha === undefined) throw invalid('source_branch', 'does not exist')
  await takeHead(world, mr, sha)
  return { state: 'opened', sha, merge_status: 'unchecked', ...(await measure(world, { ...mr, sha, target_branch: target })) }
}

function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  const others = new Set(other)
  return one.length === others.size && one.every((each) => others.has(each))
}
