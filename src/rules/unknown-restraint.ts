// What rules that are unknown keep from being done: nothing is approved or merged that such a rule may take back.
import { actionNamed } from './plan.ts'
import { deniedBy } from './policy.ts'
import type { Judgement } from './rules-in-force.ts'
import type { DecideInput } from './types.ts'

/** The actions of a state rule that take back an approval or a waiting merge. Rules for events have none here: anybody may cause an event. */
export function withdrawalsOf({ rule }: Pick<Judgement, 'rule'>) {
  if (rule.on !== undefined) return []
  return rule.actions.flatMap(({ action }) => actionNamed(action) ?? []).filter(({ withdraws }) => withdraws === true)
}

/** By restrained action, why it is not done. Fails closed: a text that is too long to be matched must not evade a rule that takes back. */
export function restrainedByUnknown(unknown: readonly Judgement[], { policy }: Pick<DecideInput, 'policy'>): Map<string, string> {
  const restrained = new Map<string, string>()
  for (const each of unknown)
    for (const action of withdrawalsOf(each)) {
      if (deniedBy(policy, each.file, action) !== undefined) continue
      const reason = `${each.key} asks to ${action.name}, which goes before it, or not: that is unknown`
      for (const name of action.restrains ?? []) restrained.set(name, reason)
    }
  return restrained
}
