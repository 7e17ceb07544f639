// What follows once a merge request is read: how its head came to be (pushes come before it), and whether a merge queue opened it.
import type { Journal } from '../../journal/types.ts'
import { isQueueBranch } from '../../merge-queue/queue-branches.ts'
import { followHead, rebasedFrom } from '../../rules/engine/memory/follow-rebase.ts'
import { stableFacts } from '../../rules/facts/reading/stable-facts.ts'
import type { DecideInput, StableFacts } from '../../rules/types.ts'
import { type AfterReading, mergeRequestIn } from './fetch-facts.ts'

/** A head of a merge request, and the head that it became by a rebase onto its target branch. */
export interface Rebase {
  target: string
  before: string
  after: string
}

/** `unknown`: git cannot tell. Fails closed: consent ends there. */
export type ContentVerdict = 'same' | 'changed' | 'unknown'
export type CompareContent = (project: { id: number; path: string }, rebase: Rebase) => Promise<ContentVerdict>

/**
 * Adds the pushes to the memory once the merge request names its branch, and what a rebase by Bellhop makes of consent; the
 * drafts of merge queues get no rules. Without `isSameContent`, as for a dry run, a new rebase counts as not the same.
 * Throws JournalUnavailable.
 */
export function withHistory(
  journal: Pick<Journal, 'pushes'>,
  isSameContent: (rebase: Rebase) => Promise<boolean> = async () => false,
): AfterReading {
  return async (input) => {
    const body = mergeRequestIn(input)
    if (isOwnDraft(stableFacts(body), input.bot)) return { ...input, files: [] }
    const given = { ...input, memory: { ...input.memory, pushes: await pushesTo(journal, body) } }
    const { sha: after } = body
    if (typeof after !== 'string') return given
    const target = typeof body.target_branch === 'string' ? body.target_branch : undefined
    const before = rebasedFrom(given, after)
    const isSame = before !== undefined && target !== undefined && (await isSameContent({ target, before, after }))
    return { ...given, memory: followHead(given, after, target, isSame) }
  }
}

/** None for a fork that is gone: they must not be another project's. */
async function pushesTo(
  journal: Pick<Journal, 'pushes'>,
  { source_project_id: project, source_branch: branch }: Record<string, unknown>,
) {
  return typeof project === 'number' && typeof branch === 'string' ? journal.pushes.list({ project, branch }) : []
}

/** Whether a merge queue opened it to test a build: no rule is for it. */
function isOwnDraft(stable: StableFacts, bot: DecideInput['bot']): boolean {
  const { source_branch: branch, author, from_fork } = stable
  return from_fork === false && typeof branch === 'string' && isQueueBranch(branch) && author === bot.username
}
