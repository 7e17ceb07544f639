// Which commits a backport picks, how many of them its branch has, and what it says to people.

import { items } from '../../facts/definition/list-items.ts'
import { isMap } from '../../language/values/shapes.ts'

/** More are for people: each is a call. */
const MOST_COMMITS = 20

export interface CommitsToPick {
  /** In the order in which they are picked. */
  shas: string[]
  /** It is one merge commit: by hand, git wants to know which parent it changed. */
  isMerge: boolean
}

const isSha = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value)

/** The branch of the backport, by which it is found again. */
export const branchFor = (iid: number, to: string) => `backport/${iid}-to-${to}`
export const isBackportBranch = (name: string) => /^backport\/\d+-to-/.test(name)

/** The merge commit, or the squashed one; else those of the merge request, which are listed newest first. */
export function commitsToPick(mergeRequest: unknown, listed: unknown): CommitsToPick | undefined {
  if (!isMap(mergeRequest)) return undefined
  const { merge_commit_sha, squash_commit_sha } = mergeRequest
  if (isSha(merge_commit_sha)) return { shas: [merge_commit_sha], isMerge: true }
  if (isSha(squash_commit_sha)) return { shas: [squash_commit_sha], isMerge: false }
  const all = items(Array.isArray(listed) ? (listed as unknown[]) : undefined)
  const own = all?.filter((each) => !isMap(each) || !Array.isArray(each.parent_ids) || each.parent_ids.length < 2)
  const shas = own?.map((each) => (isMap(each) ? each.id : undefined)).reverse()
  if (shas === undefined || shas.length === 0 || shas.length > MOST_COMMITS || !shas.every(isSha)) return undefined
  return { shas, isMerge: false }
}

/** How many of them the message of the branch’s head says were picked: GitLab names each commit in the message. */
export function pickedOf(message: string, { shas }: CommitsToPick): number {
  return shas.findLastIndex((sha) => message.includes(`(cherry picked from commit ${sha})`)) + 1
}

export const backportTexts = {
  description: (iid: number, to: string) =>
    `Backport of !${iid} to \`${to}\`. Bellhop cherry-picked it when it was merged.`,
  conflict: ({ to, branch, commits }: { to: string; branch: string; commits: CommitsToPick }) =>
    [
      `The change does not apply to \`${to}\`: it conflicts there, or is there already. By hand:`,
      '```sh',
      'git fetch origin',
      `git switch -c ${branch} origin/${to}`,
      `git cherry-pick -x ${commits.isMerge ? '-m 1 ' : ''}${commits.shas.join(' ')}`,
      `git push -u origin ${branch}`,
      '```',
      `Then open a merge request of that branch into \`${to}\`.`,
    ].join('\n'),
}
