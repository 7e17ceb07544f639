// Merge trains of Premium: the merge requests of one target branch merge in the order in which they were added.
import { owner, projectLevel } from '../access/access.ts'
import { type ErrorResponse, refuse, unauthorized } from '../http/error-response.ts'
import { checkMergeStatus, hasRecordedHead } from '../merge-requests/status.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'
import { type AcceptOptions, cannotBeMerged, mayAccept } from './accept.ts'
import { checksPass, runTrain, type Train, usesTrains } from './run-train.ts'

interface AddOptions {
  sha?: string
  squash?: boolean
  /** Add it when its checks pass. */
  wait: boolean
  /** The refusal of what cannot be merged; 400 without it. */
  failure?: ErrorResponse
}

function mayPassTrain(world: World, project: Project, user: User): boolean {
  if (project.merge_train_enforcement === 'allow_bypass') return true
  return (
    project.merge_train_enforcement === 'enforce_with_owner_override' && projectLevel(world, user, project) >= owner
  )
}

/** Throws 400, 401 and 409. Whether it is on the train now, or will be when its checks pass. */
export async function addToTrain(
  world: World,
  project: Project,
  found: MergeRequest,
  user: User,
  { failure = refuse(400, 'Failed to merge'), ...options }: AddOptions,
): Promise<MergeRequest> {
  if (options.sha !== undefined && options.sha !== found.sha)
    throw refuse(409, `SHA does not match HEAD of source branch: ${found.sha}`)
  if (!mayAccept(world, project, user, found)) throw unauthorized()
  const mr = await checkMergeStatus(world, found)
  const mayBeMerged = mr.state === 'opened' && mr.merge_status === 'can_be_merged' && (await hasRecordedHead(world, mr))
  if (!usesTrains(world, project) || !mayBeMerged || mr.auto_merge !== null) throw failure
  const isReady = checksPass(world, mr)
  if (!isReady && !options.wait) throw failure
  const squash = options.squash ?? mr.squash
  const waiting = world.mergeRequests.update(mr.id, {
    merge_when_pipeline_succeeds: true,
    auto_merge: {
      user_id: user.id,
      by_train: true as const,
      squash,
      merge_commit_message: null,
      should_remove_source_branch: null,
    },
    squash,
    updated_at: now(world),
  })
  const added = isReady ? board(world, waiting) : waiting
  retryTrain(world, added)
  return added
}

function board(world: World, { id, auto_merge }: MergeRequest): MergeRequest {
  const time = now(world)
  const user_id = auto_merge?.user_id ?? 0
  const car = { id: nextNumber(world, 'train cars'), user_id, created_at: time, updated_at: time }
  return world.mergeRequests.update(id, { train_car: { ...car, status: 'idle', merged_at: null } })
}

/** Called after whatever may let a train go on. Makes commits anew and merges after the response. */
export function retryTrain(world: World, { project_id, target_branch }: Train): void {
  if (!usesTrains(world, projectById(world, project_id))) return
  world.background(`project ${project_id}`, (ownWorld) => runTrain(ownWorld, project_id, target_branch))
}

/** Adds a merge request that waited for its checks. Called under the project's lock. */
export function boardWhenReady(world: World, mr: MergeRequest): void {
  if (mr.auto_merge?.by_train === true && !mr.train_car && checksPass(world, mr)) board(world, mr)
  retryTrain(world, mr)
}

/** Undefined if the merge goes past the train. Throws 401, 405 and 409. */
export async function acceptByTrain(
  world: World,
  project: Project,
  mr: MergeRequest,
  user: User,
  options: AcceptOptions,
): Promise<MergeRequest | undefined> {
  if (!usesTrains(world, project)) return undefined
  if (options.wait) return addToTrain(world, project, mr, user, { ...options, failure: refuse(405, cannotBeMerged) })
  if (!mayAccept(world, project, user, mr)) throw unauthorized()
  if (!mayPassTrain(world, project, user)) throw refuse(405, cannotBeMerged)
  return undefined
}
