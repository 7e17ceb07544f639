// Makes the commits and pipelines of a merge train, and merges from its front.
import { branchHead } from '../git/refs.ts'
import { writeMergeRef } from '../git/write-commits.ts'
import { isPremium } from '../installation.ts'
import {
  checkMergeStatus,
  hasRecordedHead,
  headPipeline,
  isDraft,
  noAutoMerge,
  pipelineSucceeded,
  waitsForPeople,
} from '../merge-requests/status.ts'
import { noteDown } from '../notes/write.ts'
import type { MergeRequest, PipelineRecord, Project, TrainCar, User } from '../records/records.ts'
import { now, projectById, userById, type World } from '../storage/world.ts'
import { mayAccept } from './accept.ts'
import { merge } from './merge.ts'

/**
 * Called under the project's lock. Each gets a commit that merges it onto the one before it, and a pipeline on that.
 * One that cannot be merged, or whose pipeline did not succeed, leaves; those behind it are made anew.
 */
export async function runTrain(world: World, projectId: number, branch: string): Promise<void> {
  if (world.projects.get(projectId) === undefined) return
  let ahead: TrainCar | undefined
  for (const { id } of trainOf(world, { project_id: projectId, target_branch: branch })) {
    const before: Before = ahead ? { car: ahead } : { target: await branchHead(world, projectId, branch) }
    const outcome = await refresh(world, id, before)
    if (outcome === 'not_yet') break
    if (outcome !== undefined) ahead = outcome
  }
  await cancelOldPipelines(world, projectId)
}

/** The car as it is now; undefined when it merged or left, `not_yet` before a push is announced. */
async function refresh(world: World, id: number, before: Before): Promise<TrainCar | 'not_yet' | undefined> {
  const found = world.mergeRequests.get(id)
  if (found === undefined) return undefined
  const mr = await checkMergeStatus(world, found)
  if (mr.state !== 'opened' || !mr.train_car) return undefined
  if (!(await hasRecordedHead(world, mr))) return 'not_yet'
  const reason = reasonToLeave(world, mr)
  if (reason !== undefined) return leave(world, mr, reason)
  const user = userById(world, mr.train_car.user_id)
  const current = isCurrent(world, mr, before) ? mr : await makeAnew(world, mr, user, before)
  if (current === undefined) return leave(world, mr, 'it does not merge cleanly with those before it')
  if ('target' in before && mayMerge(world, current)) return mergeFirst(world, current, user)
  return current.train_car ?? undefined
}

function reasonToLeave(world: World, mr: MergeRequest): string | undefined {
  const project = world.projects.get(mr.project_id)
  if (project === undefined || !usesTrains(world, project)) return 'the project has no merge trains any more'
  if (mr.auto_merge === null) return 'nobody requests its merge any more'
  if (mr.merge_status !== 'can_be_merged') return 'it cannot be merged'
  if (isDraft(mr)) return 'it is a draft'
  const pipeline = pipelineOf(world, mr)
  const isOver = pipeline !== undefined && pipeline.finished_at !== null
  return isOver && pipeline.status !== 'success' ? 'its pipeline did not succeed' : undefined
}

function pipelineOf(world: World, { train_car }: MergeRequest) {
  return world.pipelines.get(train_car?.pipeline_id)
}

/** Without a pipeline of the train, that of the head counts. */
function mayMerge(world: World, mr: MergeRequest) {
  const pipeline = pipelineOf(world, mr)
  return pipeline === undefined ? checksPass(world, mr) : pipeline.status === 'success'
}

/** Undefined on a conflict. */
async function makeAnew(world: World, mr: MergeRequest, user: User, before: Before): Promise<MergeRequest | undefined> {
  const onto = 'car' in before ? before.car.sha : before.target
  const commit = onto === undefined ? null : await writeMergeRef(world, mr, user, { name: 'train', onto })
  const present = world.mergeRequests.get(mr.id)
  if (onto === undefined || commit === null || !present?.train_car) return undefined
  const pipeline = await world.ci.trained(world, present, user, commit)
  return world.mergeRequests.update(mr.id, {
    train_car: {
      ...present.train_car,
      status: 'fresh',
      sha: commit.sha,
      onto,
      updated_at: now(world),
      pipeline_id: pipeline?.id,
    },
  })
}

async function mergeFirst(world: World, mr: MergeRequest, user: User): Promise<undefined> {
  const { auto_merge, train_car } = mr
  const project = world.projects.get(mr.project_id)
  const mayGo = project !== undefined && mayAccept(world, project, user, mr) && !waitsForPeople(world, mr)
  if (!mayGo || auto_merge === null || !train_car) return leave(world, mr, 'its merge is not allowed')
  const merging = world.mergeRequests.update(mr.id, { train_car: { ...train_car, status: 'merging' } })
  const merged = await merge(world, merging, user, auto_merge)
  if (merged === undefined) return leave(world, merging, 'its merge failed')
  const merged_at = now(world)
  const after = { ...train_car, status: 'merged' as const, merged_at, updated_at: merged_at }
  world.mergeRequests.update(mr.id, { train_car: after })
  return undefined
}

/** Says why in a system note. */
function leave(world: World, mr: MergeRequest, reason: string): undefined {
  world.mergeRequests.update(mr.id, { ...noAutoMerge, updated_at: now(world) })
  noteDown(world, mr, { id: mr.train_car?.user_id ?? mr.author_id }, `took this off the merge train: ${reason}`)
}

/** Cancels the pipelines of those that left the train or were made anew. */
async function cancelOldPipelines(world: World, projectId: number) {
  const running = world.pipelines
    .where('project', projectId)
    .filter((pipeline) => isOfTrain(pipeline) && pipeline.finished_at === null)
  for (const pipeline of running) {
    const mr = world.mergeRequests.get(pipeline.merge_request_id)
    if (mr?.train_car?.pipeline_id !== pipeline.id) await world.ci.cancel(world, pipeline)
  }
}

export type Train = Pick<MergeRequest, 'project_id' | 'target_branch'>

/** Merge trains need merged results pipelines, and both are of Premium. */
export function usesTrains(world: World, project: Project): boolean {
  return isPremium(world) && project.merge_pipelines_enabled && project.merge_trains_enabled
}

export function isOfTrain({ ref }: PipelineRecord): boolean {
  return /^refs\/merge-requests\/\d+\/train$/.test(ref)
}

/** The merge requests on the train, the next one first. */
export function trainOf(world: World, { project_id, target_branch }: Train): MergeRequest[] {
  return world.mergeRequests
    .where('project', project_id)
    .filter((mr) => mr.state === 'opened' && mr.target_branch === target_branch)
    .filter(({ train_car }) => train_car?.status === 'idle' || train_car?.status === 'fresh')
    .sort((a, b) => (a.train_car?.id ?? 0) - (b.train_car?.id ?? 0))
}

/** Without a pipeline there is nothing to wait for. */
export function checksPass(world: World, mr: MergeRequest): boolean {
  const isGreen =
    headPipeline(world, mr) === undefined || pipelineSucceeded(world, mr, projectById(world, mr.project_id))
  return isGreen && !waitsForPeople(world, mr)
}

/** What is before one on the train: the next one's commit, or for the first one the head of the target. */
type Before = { car: TrainCar } | { target: string | undefined }

/** Whether its commit merges what is before it, as of now. */
function isCurrent(world: World, mr: MergeRequest, before: Before): boolean {
  const { onto } = mr.train_car ?? {}
  if (onto === undefined) return false
  if ('car' in before) return onto === before.car.sha
  return onto === before.target || carsThatMade(world, mr, before.target).some(({ sha }) => sha === onto)
}

/** The cars whose merge by a train made the target's head. */
function carsThatMade(world: World, { project_id, target_branch }: Train, head: string | undefined): TrainCar[] {
  return world.mergeRequests
    .where('project', project_id)
    .filter((mr) => mr.target_branch === target_branch && mr.merged_head !== undefined && mr.merged_head === head)
    .flatMap(({ train_car }) => (train_car?.status === 'merged' ? [train_car] : []))
}
