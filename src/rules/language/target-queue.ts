// Which merge queue of the rule files in force is that of a target branch.
import { globMatcher } from './patterns/patterns.ts'
import type { MergeQueueRules, RuleFileInForce, Trust } from './values/rule-types.ts'

export interface TargetQueue {
  file: string
  trust: Trust
  queue: MergeQueueRules
}

function inOrder(files: readonly RuleFileInForce[]): TargetQueue[] {
  const all = files.flatMap(({ path, trust, rules: { queues = [] } }) =>
    queues.map((queue) => ({ file: path, trust, queue })),
  )
  return [...all.filter(({ trust }) => trust === 'operator'), ...all.filter(({ trust }) => trust === 'repository')]
}

/** All queues of the files, in order of precedence. */
export const allQueues = (files: readonly RuleFileInForce[]): MergeQueueRules[] =>
  inOrder(files).map(({ queue }) => queue)

/** The queue of a target branch: the first whose target fits. The operator's files go before the repository's. */
export const queueFor = (files: readonly RuleFileInForce[], target: string): TargetQueue | undefined =>
  inOrder(files).find(({ queue }) => globMatcher(queue.target, 'path')(target))
