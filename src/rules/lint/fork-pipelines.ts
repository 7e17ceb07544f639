// Finds rules that merge or approve because of a fork's pipeline alone.
import { factsIn } from '../language/conditions.ts'
import type { Rule } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import type { LintFinding } from './unreachable.ts'

/** Facts with which somebody other than the author consents. */
const CONSENTS = ['approved_by', 'approvals_given', 'approved', 'approvals_left', 'command']

const message =
  'takes the pipeline of the fork too (of_fork): its author decides what that tests, and can post a success there. ' +
  'Require an approval by a member, such as approved_by'

/** Checks all rules of a file. */
export function forkPipelines(rules: readonly Rule[]): LintFinding[] {
  return rules.flatMap((rule, index) => {
    const named = factsIn(rule.if)
    if (CONSENTS.some((fact) => named.includes(fact))) return []
    return rule.actions.flatMap(({ action, args }) => {
      if (action !== 'accept' && action !== 'approve') return []
      const takesForks = named.includes('pipeline_of_fork') || (isMap(args) && args.pipeline === 'of_fork')
      return takesForks ? [{ path: ['rules', index, 'then', action], message }] : []
    })
  })
}
