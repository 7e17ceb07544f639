// Finds the outcome of a landing from the present state: its response may have been lost.
import type { Landing, Observed } from '../../merge-queue/types.ts'
import { mergedBy } from '../notifications/merged-elsewhere.ts'
import type { BranchHead } from './git/repository.ts'
import { readRequest, rebasedOutcome } from './observe-rebased.ts'
import type { MergedCommits, QueueRun } from './queue-run.ts'

/** Longer than a service takes to merge. */
const longestMergeMs = 10 * 60_000

/** Undefined: it has not landed, as far as the service says. Throws what client and git throw. */
export async function observeLanding(
  run: QueueRun,
  landing: Landing,
  target: BranchHead | undefined,
): Promise<Observed['landing'] | 'in_progress'> {
  if (run.isUnsent) return { is: 'unsent' }
  if (run.refused !== undefined) return { is: 'refused', because: run.refused }
  if (landing.by === 'push') return pushOutcome(run, landing, target)
  const outcome = (merged: MergedCommits) => {
    const { target_branch: branch } = merged
    // Its target branch was changed in the moment of the call.
    if (typeof branch === 'string' && branch !== run.queue.target)
      return { is: 'landed', tree: '', onto: '', elsewhere: branch } as const
    return run.settings.test !== 'branch' ? rebasedOutcome(run, landing, merged) : mergeOutcome(run, merged)
  }
  if (run.merged !== undefined) return outcome(run.merged)
  const [member] = landing.members
  if (member === undefined) return undefined
  const body = await readRequest(run, member.iid)
  if (body === undefined) return undefined
  // The service merges; one that stays so is asked to merge again, and says why not.
  if (body.state === 'locked' && run.now() - landing.since < longestMergeMs) return 'in_progress'
  if (body.state !== 'merged') return undefined
  // Somebody else merged it: nothing that the queue requested.
  const by = mergedBy(body)
  if (by !== undefined && by !== (await run.botUser()).id) return undefined
  return outcome(body)
}

/** The tested commit itself is on the target, or it is not. */
async function pushOutcome(
  { repository }: QueueRun,
  { commit, from }: Landing,
  target: BranchHead | undefined,
): Promise<Observed['landing']> {
  if (target === undefined || target.commit === from.commit) return undefined
  if (target.commit !== commit && !(await repository.isAncestor(commit, target.commit))) return undefined
  return { is: 'landed', tree: (await repository.treeOf(commit)) ?? '', onto: from.commit }
}

/** What a merged merge request became on the target. */
async function mergeOutcome({ repository }: QueueRun, body: MergedCommits): Promise<Observed['landing']> {
  const commit = [body.merge_commit_sha, body.squash_commit_sha].find((sha) => typeof sha === 'string')
  const tree = typeof commit === 'string' ? await repository.treeOf(commit) : undefined
  // Fails closed: nobody can say what landed.
  if (typeof commit !== 'string' || tree === undefined) return { is: 'landed', tree: '', onto: '' }
  const [onto = ''] = await repository.parentsOf(commit)
  return { is: 'landed', tree, onto }
}
