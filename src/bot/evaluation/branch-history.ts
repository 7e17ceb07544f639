// What follows once a merge request is read: who pushed to its source branch (pushes come before it), and whether a merge queue opened it.
import type { Journal } from '../../journal/types.ts'
import { isQueueBranch } from '../../merge-queue/queue-branches.ts'
import { followRebase } from '../../rules/engine/memory/follow-rebase.ts'
import { stableFacts } from '../../rules/facts/reading/stable-facts.ts'
import type { DecideInput, StableFacts } from '../../rules/types.ts'
import { type AfterReading, mergeRequestIn } from './fetch-facts.ts'

/**
 * Adds the pushes to the memory once the merge request names its branch; the drafts of merge queues get no rules.
 * Throws JournalUnavailable.
 */
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

/** Whether a merge queue opened it to test a build: no rule is for it. */
function isOwnDraft(stable: StableFacts, bot: DecideInput['bot']): boolean {
  const { source_branch: branch, author, from_fork } = stable
  return from_fork === false && typeof branch === 'string' && isQueueBranch(branch) && author === bot.username
}
