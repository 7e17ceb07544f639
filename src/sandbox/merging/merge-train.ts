// Merge trains of Premium: the merge requests of one target branch merge in the order in which they were added.
import { owner, projectLevel } from '../access/access.ts'
import { type ErrorResponse, refuse, unauthorized } from '../http/error-response.ts'
import { isPremium, isSince } from '../installation.ts'
import {
  checkMergeStatus,
  hasRecordedHead,
  headPipeline,
  noAutoMerge,
  pipelineSucceeded,
  waitsForPeople,
} from '../merge-requests/status.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { nextNumber, now, projectById, userById, type World } from '../storage/world.ts'
import { mayAccept } from './accept.ts'
import { merge } from './merge.ts'

interface AddOptions {
  sha?: string | undefined
  squash?: boolean | undefined
  /** Add it when its checks pass. */
  wait: boolean
  /** The refusal of what cannot be merged; 400 without it. */
  failure?: ErrorResponse
}

/** Merge trains need merged results pipelines, and both are of Premium. */
export function usesTrains(world: World, project: Project): boolean {
  return isPremium(world) && project.merge_pipelines_enabled && project.merge_trains_enabled
}

/** Whether a plain merge may go past the train: since 19.3 a project can enforce its trains. */
export function mayPassTrain(world: World, project: Project, user: User): boolean {
  if (!isSince(world, '19.3') || project.merge_train_enforcement === 'allow_bypass') return true
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
  if (!isReady && !(options.wait && mayWait(world, mr))) throw failure
  const squash = options.squash ?? mr.squash
  const waiting = world.mergeRequests.update(mr.id, {
    merge_when_pipeline_succeeds: true,
    auto_merge: {
      ...{ user_id: user.id, by_train: true as const, squash },
      ...{ merge_commit_message: null, should_remove_source_branch: null },
    },
    squash,
    updated_at: now(world),
  })
  const added = isReady ? board(world, waiting) : waiting
  retryTrain(world, added)
  return added
}

/** Before 17.4 only the pipeline may be pending. */
function mayWait(world: World, mr: MergeRequest) {
  return isSince(world, '17.4') || !waitsForPeople(world, mr)
}

/** Without a pipeline there is nothing to wait for. */
function checksPass(world: World, mr: MergeRequest) {
  const isGreen =
    headPipeline(world, mr) === undefined || pipelineSucceeded(world, mr, projectById(world, mr.project_id))
  return isGreen && !waitsForPeople(world, mr)
}

function board(world: World, { id, auto_merge }: MergeRequest): MergeRequest {
  const time = now(world)
  const user_id = auto_merge?.user_id ?? 0
  const car = { id: nextNumber(world, 'train cars'), user_id, created_at: time, updated_at: time }
  return world.mergeRequests.update(id, { train_car: { ...car, status: 'fresh', merged_at: null } })
}

/** After whatever may let a train go on. Merges after the response. */
export function retryTrain(world: World, { project_id, target_branch }: MergeRequest): void {
  if (!usesTrains(world, projectById(world, project_id))) return
  world.background(`project ${project_id}`, (ownWorld) => runTrain(ownWorld, project_id, target_branch))
}

/** The merge requests on the train, the next one first. */
export function trainOf(world: World, projectId: number, branch: string): MergeRequest[] {
  return world.mergeRequests
    .where('project', projectId)
    .filter((mr) => mr.state === 'opened' && mr.target_branch === branch && mr.train_car?.status === 'fresh')
    .sort((a, b) => (a.train_car?.id ?? 0) - (b.train_car?.id ?? 0))
}

/** Merges from the front until one has to wait. One that does not merge cleanly leaves the train. */
async function runTrain(world: World, projectId: number, branch: string): Promise<void> {
  const project = world.projects.get(projectId)
  if (project === undefined || !usesTrains(world, project)) return
  for (
    let [first] = trainOf(world, projectId, branch);
    first !== undefined;
    [first] = trainOf(world, projectId, branch)
  ) {
    const mr = await checkMergeStatus(world, first)
    const { auto_merge, train_car } = mr
    if (mr.state !== 'opened' || !train_car) continue
    if (!(await hasRecordedHead(world, mr))) return
    const user = auto_merge === null ? undefined : userById(world, auto_merge.user_id)
    const fits = mr.merge_status === 'can_be_merged' && user !== undefined && mayAccept(world, project, user, mr)
    if (fits && !checksPass(world, mr)) return
    const merged = fits && auto_merge !== null ? await merge(world, mr, user, auto_merge) : undefined
    const time = now(world)
    if (merged === undefined) world.mergeRequests.update(mr.id, { ...noAutoMerge, updated_at: time })
    else world.mergeRequests.update(mr.id, { train_car: { ...train_car, status: 'merged', merged_at: time } })
  }
}

/** One that waited to be added. Called under the project's lock. */
export function boardWhenReady(world: World, mr: MergeRequest): void {
  if (mr.auto_merge?.by_train === true && !mr.train_car && checksPass(world, mr)) board(world, mr)
  retryTrain(world, mr)
}
