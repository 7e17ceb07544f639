// Finds statuses whose rule waits for the pipeline: the status is part of it, so the rule waits for itself.
import { factNamed } from '../facts/index.ts'
import { factsIn } from '../language/conditions.ts'
import type { Rule } from '../language/values/rule-types.ts'
import type { LintFinding } from './unreachable.ts'

/** Checks all rules of a file. */
export function waitsForItself(rules: readonly Rule[]): LintFinding[] {
  return rules.flatMap((rule, index) =>
    rule.actions.flatMap(({ action }) => {
      if (action !== 'status') return []
      const fact = factsIn(rule.if).find((name) => factNamed(name)?.changesWith?.includes('status') === true)
      if (fact === undefined) return []
      const message = `never becomes success by itself: the status is part of the pipeline, and ${fact} waits for that`
      return [{ path: ['rules', index, 'then', action], message }]
    }),
  )
}
