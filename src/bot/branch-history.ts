// Who pushed to a merge request's source branch: remembered under the branch, because a branch has pushes before it has a merge request.
import type { Journal } from '../journal/types.ts'
import { type AfterReading, mergeRequestIn } from './observe.ts'

/** Adds the pushes to what is remembered, as soon as the merge request says its branch. Throws JournalUnavailable. */
export function withHistory(journal: Pick<Journal, 'pushes'>): AfterReading {
  return async (input) => {
    const body = mergeRequestIn(input)
    const project = typeof body.source_project_id === 'number' ? body.source_project_id : undefined
    const branch = typeof body.source_branch === 'string' ? body.source_branch : undefined
    // Without both (a fork that is gone) there is no history, rather than that of another project's branch.
    if (branch === undefined || project === undefined) return { ...input, memory: { ...input.memory, pushes: [] } }
    const pushes = await journal.pushes({ service: input.mergeRequest.service, project, branch })
    return { ...input, memory: { ...input.memory, pushes } }
  }
}
