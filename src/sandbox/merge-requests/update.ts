// Updates a merge request, closes and reopens it; the hook tells what changed (api-v4.md §4.2, hosting-service.md §2.2).
import { branchHead } from '../git/refs.ts'
import { type Changes, sendMergeRequest, stateIds } from '../hooks/merge-request.ts'
import { hookLabel, hookUser } from '../hooks/parts.ts'
import type { MergeRequest, User } from '../records.ts'
import { invalid } from '../refusal.ts'
import { now, userById, type World } from '../world.ts'
import { ensureLabels, labelsNamed, splitLabels } from './labels.ts'
import { checkAssignee, refuseSecond } from './preconditions.ts'
import { isDraft, measure } from './status.ts'

export interface MergeRequestUpdate {
  target_branch?: string | undefined
  title?: string | undefined
  description?: string | undefined
  assignee_id?: number | '' | undefined
  milestone_id?: number | '' | undefined
  labels?: string | undefined
  add_labels?: string | undefined
  remove_labels?: string | undefined
  state_event?: 'close' | 'reopen' | undefined
  remove_source_branch?: boolean | undefined
  squash?: boolean | undefined
  discussion_locked?: boolean | undefined
}
type Patch = { -readonly [K in keyof MergeRequest]?: MergeRequest[K] }

/** An update that changes nothing moves nothing and sends no hook. */
export async function updateMergeRequest(world: World, mr: MergeRequest, user: User, wanted: MergeRequestUpdate): Promise<MergeRequest> {
  const patch = { ...fieldsOf(world, mr, wanted), ...(await targetOf(world, mr, wanted)), ...(await stateOf(world, mr, wanted)) }
  const differs = Object.entries(patch).some(([key, value]) => JSON.stringify(value) !== JSON.stringify(mr[key as keyof MergeRequest]))
  if (!differs) return mr
  ensureLabels(world, mr.project_id, patch.labels ?? [])
  const updated = world.mergeRequests.update(mr.id, { ...patch, updated_at: now(world) })
  const action = updated.state === mr.state ? 'update' : updated.state === 'closed' ? 'close' : 'reopen'
  await sendMergeRequest(world, updated, user, action, { changes: changesBetween(world, mr, updated) })
  return updated
}

function fieldsOf(world: World, mr: MergeRequest, wanted: MergeRequestUpdate): Patch {
  if (wanted.title !== undefined && wanted.title.trim() === '') throw invalid('title', "can't be blank")
  if (wanted.milestone_id !== undefined && wanted.milestone_id !== '' && wanted.milestone_id !== 0)
    throw invalid('milestone_id', 'is invalid')
  const patch: Patch = {}
  if (wanted.title !== undefined) patch.title = wanted.title
  if (wanted.description !== undefined) patch.description = wanted.description
  if (wanted.squash !== undefined) patch.squash = wanted.squash
  if (wanted.remove_source_branch !== undefined) patch.force_remove_source_branch = wanted.remove_source_branch
  if (wanted.discussion_locked !== undefined) patch.discussion_locked = wanted.discussion_locked
  const labels = labelsOf(mr, wanted)
  if (!sameMembers(labels, mr.labels)) patch.labels = labels
  if (wanted.assignee_id !== undefined) {
    const project = world.projects.get(mr.project_id)
    const assignee_id = project === undefined ? null : checkAssignee(world, project, wanted.assignee_id === '' ? 0 : wanted.assignee_id)
    patch.assignee_id = assignee_id
    if (assignee_id !== null && !mr.subscriber_ids.includes(assignee_id)) patch.subscriber_ids = [...mr.subscriber_ids, assignee_id]
  }
  return patch
}

/** `labels` replaces all, then `add_labels` and `remove_labels` work on what is left. */
function labelsOf(mr: MergeRequest, wanted: MergeRequestUpdate): string[] {
  const base = wanted.labels === undefined ? mr.labels : splitLabels(wanted.labels)
  const removed = new Set(splitLabels(wanted.remove_labels ?? ''))
  return [...new Set([...base, ...splitLabels(wanted.add_labels ?? '')])].filter((label) => !removed.has(label))
}

async function targetOf(world: World, mr: MergeRequest, { target_branch }: MergeRequestUpdate): Promise<Patch> {
  if (target_branch === undefined || target_branch === mr.target_branch) return {}
  if (mr.state === 'merged') throw invalid('target_branch', 'cannot be changed once merged')
  if (target_branch === mr.source_branch) throw invalid('branch_conflict', "You can't use same project/branch for source and target")
  if ((await branchHead(world, mr.project_id, target_branch)) === undefined) throw invalid('target_branch', 'does not exist')
  if (mr.state === 'opened') refuseSecond(world, mr.project_id, mr.source_branch, target_branch, mr.id)
  return { target_branch, merge_status: 'unchecked', ...(await measure(world, { ...mr, target_branch })) }
}

/** What state_event does to one that is merged is not shown on the page: nothing. Closing gives up a pending merge. */
async function stateOf(world: World, mr: MergeRequest, { state_event, target_branch }: MergeRequestUpdate): Promise<Patch> {
  if (state_event === 'close' && mr.state === 'opened') return { state: 'closed', merge_when_pipeline_succeeds: false, auto_merge: null }
  if (state_event !== 'reopen' || mr.state !== 'closed') return {}
  const target = target_branch ?? mr.target_branch
  refuseSecond(world, mr.project_id, mr.source_branch, target, mr.id)
  // Pushes were not followed while it was closed.
  const sha = await branchHead(world, mr.source_project_id, mr.source_branch)
  if (sha === undefined) throw invalid('source_branch', 'does not exist')
  return { state: 'opened', sha, merge_status: 'unchecked', ...(await measure(world, { ...mr, sha, target_branch: target })) }
}

function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each))
}

function changesBetween(world: World, before: MergeRequest, after: MergeRequest): Changes {
  const changes: Changes = {}
  const note = (field: string, previous: unknown, current: unknown): void => {
    if (JSON.stringify(previous) !== JSON.stringify(current)) changes[field] = { previous, current }
  }
  note('title', before.title, after.title)
  note('description', before.description, after.description)
  note('target_branch', before.target_branch, after.target_branch)
  note('draft', isDraft(before), isDraft(after))
  note('state_id', stateIds[before.state], stateIds[after.state])
  note('squash', before.squash, after.squash)
  note('discussion_locked', before.discussion_locked, after.discussion_locked)
  const labels = (mr: MergeRequest) => labelsNamed(world, mr.project_id, mr.labels).map(hookLabel)
  note('labels', labels(before), labels(after))
  const assignees = (mr: MergeRequest) => (mr.assignee_id === null ? [] : [hookUser(userById(world, mr.assignee_id))])
  note('assignees', assignees(before), assignees(after))
  note('updated_at', before.updated_at, after.updated_at)
  return changes
}
