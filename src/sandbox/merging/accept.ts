// Accepts a merge request: refusals in order, then merge or auto-merge.
import { refuse, unauthorized } from '../http/error-response.ts'
import {
  checkMergeStatus,
  hasRecordedHead,
  needsRebase,
  noAutoMerge,
  pipelineAllowsMerge,
  pipelineSucceeded,
  waitsForPeople,
} from '../merge-requests/status.ts'
import { mayMergeInto } from '../pushes/protected-branches.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { merge } from './merge.ts'

export interface AcceptOptions {
  sha?: string
  squash?: boolean
  merge_commit_message?: string
  should_remove_source_branch?: boolean
  /** Wait until all checks pass. */
  wait: boolean
}

export const cannotBeMerged = 'Branch cannot be merged'

export function mayAccept(world: World, project: Project, user: User, { target_branch }: MergeRequest): boolean {
  return !project.archived && mayMergeInto(world, project, user, target_branch)
}

/** Throws 401, 406, 405 and 409 in the order of the API page. */
export async function accept(world: World, project: Project, found: MergeRequest, user: User, options: AcceptOptions) {
  if (!mayAccept(world, project, user, found)) throw unauthorized()
  if (found.state !== 'opened') throw refuse(406, 'Method Not Allowed')
  const checked = await checkMergeStatus(world, found)
  // The fork may have gone during the check.
  if (checked.state !== 'opened') throw refuse(406, 'Method Not Allowed')
  const isPending = waitsForPeople(world, checked)
  // Without a pipeline, wait for the first one.
  const waits = options.wait && (isPending || !pipelineSucceeded(world, checked, project))
  const blocked =
    checked.merge_status !== 'can_be_merged' ||
    needsRebase(world, checked) ||
    (isPending && !waits) ||
    (!waits && !pipelineAllowsMerge(world, checked, project))
  if (blocked) throw refuse(405, cannotBeMerged)
  const moved = !(await hasRecordedHead(world, checked))
  if (moved || (options.sha !== undefined && options.sha !== checked.sha)) {
    throw refuse(409, 'SHA does not match HEAD of source branch')
  }
  const wanted = {
    squash: options.squash ?? checked.squash,
    merge_commit_message: options.merge_commit_message ?? null,
    should_remove_source_branch: options.should_remove_source_branch ?? null,
  }
  if (waits) {
    return world.mergeRequests.update(checked.id, {
      merge_when_pipeline_succeeds: true,
      auto_merge: { user_id: user.id, ...wanted },
      should_remove_source_branch: wanted.should_remove_source_branch,
      squash: wanted.squash,
      updated_at: now(world),
    })
  }
  const merged = await merge(world, checked, user, wanted)
  if (merged === undefined) throw refuse(405, cannotBeMerged)
  const { train_car } = merged
  if (!train_car) return merged
  return world.mergeRequests.update(merged.id, { train_car: { ...train_car, status: 'skip_merged' } })
}

/** Throws 401, 405 and 406. */
export function cancelAutoMerge(world: World, project: Project, mr: MergeRequest, user: User): MergeRequest {
  if (!mayAccept(world, project, user, mr)) throw unauthorized()
  if (mr.state !== 'opened') throw refuse(405, 'Method Not Allowed')
  if (!mr.merge_when_pipeline_succeeds) throw refuse(406, 'Not Acceptable')
  return world.mergeRequests.update(mr.id, { ...noAutoMerge, updated_at: now(world) })
}
