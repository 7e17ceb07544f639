// Withdrawals (see `isWithdrawal`): no limit, pause, mode or policy holds them back.
import { actionNamed } from '../../actions/index.ts'
import type { Call } from '../../types.ts'
import { takesStatusBack } from './status.ts'

/** Whether the call withdraws an approval, a waiting merge or a status, or leaves the merge queue. */
export function isWithdrawal({ action, rules, params }: Pick<Call, 'action' | 'rules' | 'params'>): boolean {
  const declared = actionNamed(action)
  return (
    declared?.limited === 'never' ||
    (declared?.limited === 'merge' && rules.length === 0) ||
    takesStatusBack({ action, params })
  )
}

/** The same calls, withdrawals first: a call that fails or may not be made yet never delays them. */
export function withdrawalsFirst(calls: readonly Call[]): Call[] {
  return [...calls.filter(isWithdrawal), ...calls.filter((call) => !isWithdrawal(call))]
}
