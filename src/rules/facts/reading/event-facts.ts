// Facts that an event and the origin of its merge request state. The event may be late, so they can only exclude rules.
import type { Event, Json, MergeRequestOrigin, MergeRequestRef, Override } from '../../types.ts'
import { numberOf } from '../definition/subject-ref.ts'
import { facts } from '../index.ts'

const statuses = facts.pipeline.type.values ?? []

/**
 * The stated facts. A later change of the target branch, or a later end of the pipeline, has its own event. `ended`: an
 * evaluation saw or made the end of the merge request. Else its event leads to one, which remembers the end.
 */
export function statedFacts(
  { kind, pipeline, target }: Event,
  ref: MergeRequestRef,
  { origin, ended }: { origin?: MergeRequestOrigin; ended?: boolean },
): Override[] {
  const stated: Record<string, Json | undefined> = {
    iid: numberOf(ref),
    state: ended === true && kind === 'merge_request.merge' ? 'merged' : undefined,
    pipeline: pipeline !== undefined && statuses.includes(pipeline.status) ? pipeline.status : undefined,
    target_branch: target,
    source_branch: origin?.branch,
    source_project_id: origin?.project,
    from_fork: origin && origin.project !== ref.project,
    author: origin?.author,
  }
  return Object.entries(stated).flatMap(([fact, value]) =>
    value === undefined ? [] : [{ fact, is: { is: 'known', value, complete: true } }],
  )
}
