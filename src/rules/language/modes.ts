// The mode of a rule: from the rule, its file and the operator's policy.
import { stricter } from './policy.ts'
import type { Mode, ProjectPolicy, Rule, RuleFileInForce } from './values/rule-types.ts'
import { choice } from './values/shapes.ts'

export const modeShape = choice(['act', 'observe', 'off'] as const)

/** A rule may be more or less strict than its file, but never less strict than the policy. */
export function modeOf(
  rule: Pick<Rule, 'mode'>,
  file: Pick<RuleFileInForce, 'rules'>,
  policy: ProjectPolicy | undefined,
): Mode {
  return stricter(policy?.mode ?? 'act', rule.mode ?? file.rules.mode ?? 'act')
}
