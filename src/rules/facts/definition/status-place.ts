// The place of a commit status of the merge request: the commit, the ref and the pipeline that counts for it.
import { isMap } from '../../language/values/shapes.ts'

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

const unfinished = ['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running']

/** Whether a status with that state explains the pipeline's state, so that no other is looked for. Fails closed. */
export function explainsPipeline(state: string, mergeRequest: unknown): boolean {
  const pipeline = isMap(mergeRequest) ? mergeRequest.head_pipeline : undefined
  if (!isMap(pipeline)) return false
  return state === 'pending' ? unfinished.includes(String(pipeline.status)) : pipeline.status === state
}
