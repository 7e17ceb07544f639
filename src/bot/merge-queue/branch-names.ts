// The names of the branches that Bellhop builds: `bellhop/queue/<queue>/<number>`.
import { queueBranches } from '../../merge-queue/queue-branches.ts'
import type { MergeQueueRules } from '../../rules/types.ts'

type Named = Pick<MergeQueueRules, 'name' | 'target'>

/**
 * What comes before the number in the names of its branches. A queue of several targets has branches for each, and so
 * have queues of one name in several files.
 */
export function branchPrefix({ name, target: pattern }: Named, target: string, all: readonly Named[] = []): string {
  const isOnly = all.every((other) => other.name !== name || other.target === pattern)
  return pattern === target && isOnly ? `${queueBranches}${name}/` : `${queueBranches}${name}/${target}/`
}

/** The number of an attempt; undefined if the branch is of another queue. */
export function attemptOf(branch: string, prefix: string): number | undefined {
  const number = branch.startsWith(prefix) ? branch.slice(prefix.length) : ''
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined
}
