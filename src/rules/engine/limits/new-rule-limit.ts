// The new-rule limit: blocks what new rules do too often, and evaluates it again later. Pure: bot/ counts.
import type { Action, ActionOutcome } from '../../actions/definition/action.ts'
import { count } from '../../language/values/wording.ts'
import type { Decision, NewRuleLimit, RuleTrace } from '../../types.ts'

type LimitedAction = Pick<Action, 'name' | 'per' | 'limited'>

/** Whether the new-rule limit applies to it. */
export const isLimitedWhenNew = ({ limited }: Pick<Action, 'limited'>): boolean =>
  limited === 'merge' || limited === 'new_rules'

const isNew = (newRuleLimit: NewRuleLimit, rule: string) => newRuleLimit.newRules.includes(rule)

/** Replaces a call that must wait: the event stays pending, and a state rule is evaluated again. */
export function limitedOutcome(
  action: LimitedAction,
  { rule, ofEvent }: { rule: string; ofEvent: boolean },
  { newRuleLimit, now }: { newRuleLimit?: NewRuleLimit; now: string },
): ActionOutcome | undefined {
  const until = newRuleLimit?.full[action.name]
  if (newRuleLimit === undefined || until === undefined || !isLimitedWhenNew(action) || !isNew(newRuleLimit, rule))
    return undefined
  const detail = `the new-rule limit: new rules did this ${count(newRuleLimit.perHour, 'time')} within the hour in this project; it is evaluated again at ${until}`
  return {
    result: ofEvent ? 'waits' : 'blocked',
    detail,
    limitedUntil: until,
    againInMs: Math.max(1000, Date.parse(until) - Date.parse(now)),
  }
}

/** How often a decision does each limited action because of new rules alone. */
export function newRuleUses(
  decision: Pick<Decision, 'rules'>,
  newRuleLimit: NewRuleLimit,
  limited: readonly LimitedAction[],
  nameOf: (trace: RuleTrace) => string,
): Map<string, number> {
  const acting = decision.rules.filter(({ mode }) => mode === undefined)
  const uses = new Map<string, number>()
  for (const action of limited) {
    // Withdrawals are never limited.
    const requesting = acting.filter(({ actions }) =>
      actions.some((each) => each.action === action.name && each.result === 'call' && each.withdrawal !== true),
    )
    const fresh = requesting.filter((trace) => isNew(newRuleLimit, nameOf(trace)))
    // A call that an old rule requests too is not limited.
    const times =
      action.per === undefined ? (fresh.length === requesting.length ? Math.min(1, fresh.length) : 0) : fresh.length
    if (times > 0) uses.set(action.name, times)
  }
  return uses
}
