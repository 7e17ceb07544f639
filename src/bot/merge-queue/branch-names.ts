// The names of the branches that Bellhop builds: `bellhop/queue/<queue>/<number>`.
import { queueBranches } from '../../merge-queue/queue-branches.ts'
import type { MergeQueueRules } from '../../rules/types.ts'

/** Before the number. A queue of several targets has branches for each. */
export function branchPrefix({ name, target: pattern }: Pick<MergeQueueRules, 'name' | 'target'>, target: string) {
  return pattern === target ? `${queueBranches}${name}/` : `${queueBranches}${name}/${target}/`
}

/** The number of an attempt; undefined where the branch is of another queue. */
export function attemptOf(branch: string, prefix: string): number | undefined {
  const number = branch.startsWith(prefix) ? branch.slice(prefix.length) : ''
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : undefined
}
