// The names of the branches that Bellhop builds: `bellhop/queue/<queue>/<number>`.
import type { MergeQueueRules } from '../../rules/types.ts'

const allQueues = 'bellhop/queue/'

/** Whether Bellhop made the branch, or somebody who uses its names. */
export const isQueueBranch = (branch: string) => branch.startsWith(allQueues)

/** Before the number. A queue of several targets has branches for each. */
export function branchPrefix({ name, target: pattern }: Pick<MergeQueueRules, 'name' | 'target'>, target: string) {
  return pattern === target ? `${allQueues}${name}/` : `${allQueues}${name}/${target}/`
}

/** The number of an attempt; undefined where the branch is of another queue. */
export function attemptOf(branch: string, prefix: string): number | undefined {
  const number = branch.startsWith(prefix) ? branch.slice(prefix.length) : ''
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : undefined
}
