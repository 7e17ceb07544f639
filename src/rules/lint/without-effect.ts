// Finds arguments that the merge queue of their rule does not apply.
import type { MergeQueueRules, Rule } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import type { LintFinding } from './unreachable.ts'

/** Checks the rules with the queues of the same file. */
export function withoutEffect(rules: readonly Rule[], queues: readonly MergeQueueRules[]): LintFinding[] {
  return rules.flatMap(({ actions }, index) =>
    actions.flatMap(({ action, args }) => {
      if (!isMap(args) || args.remove_source_branch !== true) return []
      const queue = queues.find(({ name, land }) => name === args.queue && land === 'push')
      if (queue === undefined) return []
      const message = `has no effect: the queue ${JSON.stringify(queue.name)} (line ${queue.line}) lands by a push, which removes no source branch`
      return [{ path: ['rules', index, 'then', action, 'remove_source_branch'], message }]
    }),
  )
}
