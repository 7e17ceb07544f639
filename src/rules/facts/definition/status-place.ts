// Where a commit status of the merge request belongs: the commit, the ref and the pipeline that counts for it.
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

/** A status there counts for no other merge request. */
export const isOfOneMergeRequest = ({ ref }: Pick<StatusPlace, 'ref'>) => ref.startsWith(OWN_REF)

/** The head pipeline where there is one: a status in another does not count for the merge request. */
export function statusPlace(mergeRequest: unknown): StatusPlace | undefined {
  if (!isMap(mergeRequest)) return undefined
  const { sha: head, head_pipeline: pipeline, source_branch: ref, source_project_id: project } = mergeRequest
  if (typeof head !== 'string') return undefined
  if (isMap(pipeline) && pipeline.source !== 'external' && typeof pipeline.sha === 'string') {
    const { id, project_id, sha, ref: branch } = pipeline
    // The pipeline of an earlier head is not the one that counts.
    const isOfHead = sha === head || isOfOneMergeRequest({ ref: String(branch) })
    if (isOfHead && typeof id === 'number' && typeof branch === 'string')
      return { project: Number(project_id ?? project), sha, ref: branch, pipeline: id }
  }
  return typeof ref === 'string' && typeof project === 'number' ? { project, sha: head, ref } : undefined
}
