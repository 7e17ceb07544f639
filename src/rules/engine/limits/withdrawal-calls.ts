// Withdrawals: calls that withdraw an approval or a waiting merge. No limit, pause, mode or policy holds them back.
import { actionNamed } from '../../actions/index.ts'
import type { Call } from '../../types.ts'

/** Whether the call withdraws an approval or a waiting merge. */
export function isWithdrawal({ action, rules }: Pick<Call, 'action' | 'rules'>): boolean {
  const declared = actionNamed(action)
  return declared?.withdraws === true || (declared?.policy === 'merge' && rules.length === 0)
}

/** The same calls, withdrawals first: a call that fails or may not be made yet never delays them. */
export function withdrawalsFirst(calls: readonly Call[]): Call[] {
  return [...calls.filter(isWithdrawal), ...calls.filter((call) => !isWithdrawal(call))]
}
