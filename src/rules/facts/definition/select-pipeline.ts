// Selects the pipeline that counts for a merge request, and the place of a commit status for it.
import { isMap } from '../../language/values/shapes.ts'
import type { SourceAnswers } from '../../types.ts'
import { items } from './service-values.ts'
import type { BodyOf } from './source.ts'

export type Pipeline = BodyOf<'mergeRequests.pipelines'>[number]

/** The projects of a merge request. A deleted fork has no id. */
interface Projects {
  source_project_id?: unknown
  target_project_id?: unknown
  project_id?: unknown
}

/** Whether its source branch is in another project; undefined if the service does not say. */
export function isFromFork({ source_project_id: source, ...mr }: Projects): boolean | undefined {
  const target = mr.target_project_id ?? mr.project_id
  if (source === null) return true
  return typeof source === 'number' && typeof target === 'number' ? source !== target : undefined
}

/**
 * Whether the pipeline ran in the project that the merge request goes into, where its members decide what a pipeline
 * is; undefined if the service does not say.
 */
export function ranInTarget(mr: Projects, { project_id: project }: { project_id?: unknown }): boolean | undefined {
  if (typeof project === 'number') return project === (mr.target_project_id ?? mr.project_id)
  return isFromFork(mr) === false ? true : undefined
}

function isPipeline(value: unknown): value is Pipeline {
  if (typeof value !== 'object' || value === null || !('sha' in value) || !('status' in value)) return false
  return typeof value.sha === 'string' && typeof value.status === 'string'
}

/** Whether the pipeline ran for a merge request, not for a branch. */
export function isOfMergeRequest(pipeline: Pipeline): boolean {
  return (
    pipeline.source === 'merge_request_event' ||
    (typeof pipeline.ref === 'string' && pipeline.ref.startsWith('refs/merge-requests/'))
  )
}

/** Whether it may have run on a commit that merges the head, and not on `refs/merge-requests/N/head`. */
export function mayBeOfMergedResult(pipeline: Pipeline): boolean {
  return isOfMergeRequest(pipeline) && !/^refs\/merge-requests\/\d+\/head$/.test(pipeline.ref)
}

/** Statuses of a pipeline that ended without success. */
const STOPPED = ['failed', 'canceled', 'skipped']

/**
 * Whether it belongs to a merge train that still runs. Meanwhile the pipeline before the train counts: else a rule for
 * green pipelines would take the merge request off the train.
 */
export function isOfTrainInMotion(pipeline: unknown): boolean {
  return isOfTrain(pipeline) && !STOPPED.includes(pipeline.status)
}

export function isOfTrain(pipeline: unknown): pipeline is Pipeline {
  return isPipeline(pipeline) && /^refs\/merge-requests\/\d+\/train$/.test(pipeline.ref)
}

/** Whether the list of pipelines tells which one counts. */
export const needsList = (headPipeline: unknown) => headPipeline === undefined || isOfTrainInMotion(headPipeline)

/** The head pipeline if the service names one, otherwise the newest of the list. */
export function selectPipeline(
  headPipeline: unknown,
  list: unknown,
): Pipeline | 'none_yet' | 'child_pipeline' | 'unreadable' {
  if (headPipeline === null) return 'none_yet'
  if (!needsList(headPipeline)) {
    if (!isPipeline(headPipeline)) return 'unreadable'
    return headPipeline.source === 'parent_pipeline' ? 'child_pipeline' : headPipeline
  }
  const all = items(list as unknown[])
  if (all === undefined || !all.every(isPipeline)) return 'unreadable'
  // Only the newest train counts, and only if it failed.
  const newestTrain = all.find(isOfTrain)
  const ofFailedTrain = isOfTrainInMotion(newestTrain) ? undefined : newestTrain
  const own = all.filter(
    (pipeline) => pipeline.source !== 'parent_pipeline' && (!isOfTrain(pipeline) || pipeline === ofFailedTrain),
  )
  // If both kinds ran, the branch pipeline does not count.
  return own.find(isOfMergeRequest) ?? own[0] ?? 'none_yet'
}

/**
 * Whether a merge request pipeline was read: then all merge requests of the project have their own. Pipelines of trains
 * do not count: a project can have pipelines of branches and of trains.
 */
export function showsMergeRequestPipelines({ mergeRequest, pipelines }: SourceAnswers): boolean {
  const body = mergeRequest?.ok ? mergeRequest.body : undefined
  if (typeof body !== 'object' || body === null) return false
  const named = 'head_pipeline' in body ? [body.head_pipeline] : []
  const listed = pipelines?.ok && Array.isArray(pipelines.body) ? (pipelines.body as unknown[]) : []
  // Pipelines in a fork say nothing about the project.
  return [...named, ...listed].some(
    (each) => isPipeline(each) && isOfMergeRequest(each) && !isOfTrain(each) && ranInTarget(body, each) !== false,
  )
}

/** The refs of pipelines that belong to one merge request. */
const OWN_REF = 'refs/merge-requests/'

/** The pipeline that the status belongs to. A commit without one gets a pipeline for the status. */
export type StatusPlace = {
  project: number
  sha: string
  ref: string
  pipeline?: number
}

/** Whether a status at this place counts for no other merge request. */
export const isOfOneMergeRequest = ({ ref }: Pick<StatusPlace, 'ref'>) => ref.startsWith(OWN_REF)

/** The head pipeline if there is one: a status in another does not count for the merge request. */
export function statusPlace(mergeRequest: unknown): StatusPlace | undefined {
  if (!isMap(mergeRequest)) return undefined
  const { sha: head, head_pipeline: pipeline, source_branch: ref, source_project_id: project } = mergeRequest
  if (typeof head !== 'string') return undefined
  if (isMap(pipeline) && pipeline.source !== 'external' && typeof pipeline.sha === 'string') {
    const { id, project_id, sha, ref: branch } = pipeline
    // The pipeline of an earlier head does not count.
    const isOfHead = sha === head || isOfOneMergeRequest({ ref: String(branch) })
    if (isOfHead && typeof id === 'number' && typeof branch === 'string')
      return { project: Number(project_id ?? project), sha, ref: branch, pipeline: id }
  }
  return typeof ref === 'string' && typeof project === 'number' ? { project, sha: head, ref } : undefined
}

/** The newest status of the name, which counts. */
export function newestStatus(listed: readonly unknown[], name: string, { ref, pipeline }: StatusPlace) {
  const is = (value: unknown, expected: unknown) => value === undefined || expected === undefined || value === expected
  return listed
    .filter(isMap)
    .filter((each) => each.name === name && is(each.ref, ref) && is(each.pipeline_id, pipeline))
    .map(({ id, status, author }) => ({ id: Number(id), state: String(status), author: isMap(author) ? author : {} }))
    .sort((one, other) => other.id - one.id)[0]
}

const STARTED = ['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running']
/** Statuses of a pipeline that may still succeed by itself. */
export const UNFINISHED: readonly string[] = [...STARTED, 'scheduled']

/** Whether a status with that state explains the pipeline's state, so that no other is looked for. Fails closed. */
export function explainsPipeline(state: string, mergeRequest: unknown): boolean {
  const pipeline = isMap(mergeRequest) ? mergeRequest.head_pipeline : undefined
  if (!isMap(pipeline)) return false
  return state === 'pending' ? STARTED.includes(String(pipeline.status)) : pipeline.status === state
}
