// What unknown rules restrain: nothing is approved or merged that they might withdraw.
import { actionNamed } from '../../actions/index.ts'
import type { RuleEvaluation } from './rules-in-force.ts'

/** A state rule's actions that withdraw approvals or waiting merges. None for event rules: anybody may cause events. */
export function withdrawalsOf({ rule }: Pick<RuleEvaluation, 'rule'>) {
  if (rule.on !== undefined) return []
  return rule.actions.flatMap(({ action }) => actionNamed(action) ?? []).filter(({ limited }) => limited === 'never')
}

/** The restrained actions with the reason. Fails closed: an overlong text must not evade a rule that withdraws. */
export function restrainedByUnknown(unknown: readonly RuleEvaluation[]): Map<string, string> {
  const restrained = new Map<string, string>()
  for (const each of unknown)
    for (const action of withdrawalsOf(each)) {
      const reason = `it is unknown whether ${each.key} requests ${action.name}, which goes first`
      for (const name of action.restrains?.actions ?? []) restrained.set(name, reason)
    }
  return restrained
}
