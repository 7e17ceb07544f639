// Tells whether every change that a decision depends on shows in `updated_at`. The sweep skips such merge requests.
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import type { ActionTrace, Decision, RuleTrace, Trace } from '../types.ts'
import { isWithdrawal } from './limits/withdrawal-calls.ts'

/** Whether a change of the fact shows in `updated_at`, comes with an event, or is followed by a timer. */
export function isShown(name: string): boolean {
  const fact = factNamed(name)
  return fact?.showsInUpdatedAt === true || fact?.stable === true || fact?.ofEvents === true
}

/** Whether only a change of `updated_at`, a timer or an event can change the decision, and all withdrawals are done. */
export function isShownByUpdatedAt(decision: Pick<Decision, 'rules' | 'paused' | 'responses'>): boolean {
  if (decision.responses.some(({ call, result }) => isWithdrawal(call) && result !== 'done' && result !== 'already'))
    return false
  // The label that turns Bellhop off shows in `updated_at`; a pause by the loop guard ends by itself.
  return decision.paused !== undefined || decision.rules.every(isRuleShown)
}

function isRuleShown({ conditions, actions, event, verdict }: RuleTrace): boolean {
  // An event rule is evaluated once for its event. A standing request waits.
  if (event !== undefined && verdict !== 'true') return actions.every(({ result }) => result !== 'waits')
  return isTraceShown(conditions) && actions.every(isActionShown)
}

function isActionShown({ action, result }: ActionTrace): boolean {
  // A new pipeline of the same head lacks the status, and does not change `updated_at`.
  return result !== 'waits' && result !== 'blocked' && actionNamed(action)?.when !== 'unmatched_too'
}

function isTraceShown({ condition, verdict, children }: Trace): boolean {
  if (children === undefined) return isShown(condition)
  // One part can decide the whole: a rule for another author does not wait for its pipeline.
  const deciding = condition === 'all' ? 'false' : condition === 'any' ? 'true' : undefined
  if (verdict === deciding) return children.some((child) => child.verdict === deciding && isTraceShown(child))
  return children.every(isTraceShown)
}
