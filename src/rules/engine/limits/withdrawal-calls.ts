// Withdrawals (see `isWithdrawal`): no limit, pause, mode or policy holds them back.
import { actionNamed } from '../../actions/index.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import type { Call } from '../../types.ts'

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

/** Whether the call ends the success of a status: like a withdrawal, it is not limited. */
const takesStatusBack = ({ action, params }: Pick<Call, 'action' | 'params'>): boolean =>
  action === 'status' && params.state !== 'success'

/** A green pipeline does not count while a status of Bellhop is not success: somebody else replaced it just now. */
export function withUnmetStatus(view: FactReader, unmet: string | undefined): FactReader {
  if (unmet === undefined) return view
  const fact: FactReader['fact'] = (name) => {
    const value = view.fact(name)
    const isGreen = name === 'pipeline' && value.is === 'known' && value.value === 'success'
    return isGreen ? { ...value, value: 'failed', remark: unmet } : value
  }
  const actual: FactReader['actual'] = (name, say) => (name === 'pipeline' ? say() : view.actual(name, say))
  return { ...view, fact, actual }
}
