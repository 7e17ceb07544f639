// Who is on a merge train, and whether their commits merge its present order.
import { isPremium } from '../installation.ts'
import { headPipeline, pipelineSucceeded, waitsForPeople } from '../merge-requests/status.ts'
import type { MergeRequest, PipelineRecord, Project, TrainCar } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'

type Train = Pick<MergeRequest, 'project_id' | 'target_branch'>

/** Merge trains need merged results pipelines, and both are of Premium. */
export function usesTrains(world: World, project: Project): boolean {
  return isPremium(world) && project.merge_pipelines_enabled && project.merge_trains_enabled
}

function isActiveCar({ status }: TrainCar): boolean {
  return status === 'idle' || status === 'fresh'
}

export function isOfTrain({ ref }: PipelineRecord): boolean {
  return /^refs\/merge-requests\/\d+\/train$/.test(ref)
}

/** The merge requests on the train, the next one first. */
export function trainOf(world: World, { project_id, target_branch }: Train): MergeRequest[] {
  return world.mergeRequests
    .where('project', project_id)
    .filter((mr) => mr.state === 'opened' && mr.target_branch === target_branch)
    .filter(({ train_car }) => train_car && isActiveCar(train_car))
    .sort((a, b) => (a.train_car?.id ?? 0) - (b.train_car?.id ?? 0))
}

/** Without a pipeline there is nothing to wait for. */
export function checksPass(world: World, mr: MergeRequest): boolean {
  const isGreen =
    headPipeline(world, mr) === undefined || pipelineSucceeded(world, mr, projectById(world, mr.project_id))
  return isGreen && !waitsForPeople(world, mr)
}

/** What is before one on the train: the next one's commit, or for the first one the head of the target. */
export type Before = { car: TrainCar } | { target: string | undefined }

/** Whether its commit merges what is before it, as of now. */
export function isCurrent(world: World, mr: MergeRequest, before: Before): boolean {
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
