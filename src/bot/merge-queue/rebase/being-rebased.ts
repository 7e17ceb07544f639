// Whether a merge queue is rebasing a merge request: until its new head is known, nothing is decided on it.
import type { Journal } from '../../../journal/types.ts'
import type { Memory, MergeRequestRef } from '../../../rules/types.ts'

/** Longer than a rebase takes; then it was interrupted. */
const longestMs = 2 * 60_000

/** Throws JournalUnavailable. */
export async function isBeingRebased(
  journal: Pick<Journal, 'mergeQueue'>,
  { service, project, iid }: MergeRequestRef,
  memory: Memory | undefined,
  now: number,
): Promise<boolean> {
  if (memory?.queued === undefined) return false
  const record = await journal.mergeQueue({ service, project, target: memory.queued.target })
  const builds = record?.builds.filter(({ members }) => members.some((member) => member.iid === iid)) ?? []
  return builds.some(({ attempts }) =>
    attempts.some(({ since, commit }) => since !== undefined && commit === undefined && now - since < longestMs),
  )
}
