// Whether a rule acts, observes or is off: what it says itself, what its file says, and the most that the operator's policy lets it (DESIGN §4).
import { stricter } from './policy.ts'
import type { Mode, ProjectPolicy, Rule, RuleFileInForce } from './values/rule-types.ts'
import { choice } from './values/shapes.ts'

/** As it is written in a file, at a rule, or in the policy. */
export const modeShape = choice(['act', 'observe', 'off'] as const)

/** A rule may differ from its file either way, but never do more than the operator lets the project. */
export function modeOf(
  rule: Pick<Rule, 'mode'>,
  file: Pick<RuleFileInForce, 'rules'>,
  policy: ProjectPolicy | undefined,
): Mode {
  return stricter(policy?.mode ?? 'act', rule.mode ?? file.rules.mode ?? 'act')
}
