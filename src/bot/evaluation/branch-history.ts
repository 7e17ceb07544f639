// Who pushed to a merge request's source branch, stored by branch: pushes come before the merge request.
import type { Journal } from '../../journal/types.ts'
import { followRebase } from '../../rules/engine/memory/follow-rebase.ts'
import { stableFacts } from '../../rules/facts/reading/stable-facts.ts'
import { isOwnDraft } from './decide-input.ts'
import { type AfterReading, mergeRequestIn } from './fetch-facts.ts'

/** Adds the pushes to the memory once the merge request names its branch. Throws JournalUnavailable. */
export function withHistory(journal: Pick<Journal, 'pushes'>): AfterReading {
  return async (input) => {
    const body = mergeRequestIn(input)
    if (isOwnDraft(stableFacts(body), input.bot)) return { ...input, files: [] }
    const project = typeof body.source_project_id === 'number' ? body.source_project_id : undefined
    const branch = typeof body.source_branch === 'string' ? body.source_branch : undefined
    // Unknown for a fork that is gone: it must not be another project's branch.
    if (branch === undefined || project === undefined) return { ...input, memory: { ...input.memory, pushes: [] } }
    const pushes = await journal.pushes({ service: input.mergeRequest.service, project, branch })
    const memory = { ...input.memory, pushes }
    return { ...input, memory: typeof body.sha === 'string' ? followRebase({ ...input, memory }, body.sha) : memory }
  }
}
