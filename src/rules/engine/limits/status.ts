// The part of the engine that only status needs: calls that are withdrawals, and merges with a replaced status.
import type { FactReader } from '../../facts/reading/fact-view.ts'
import type { Call } from '../../types.ts'

/** Whether the call ends the success of a status: like a withdrawal, it is not limited. */
export const takesStatusBack = ({ action, params }: Pick<Call, 'action' | 'params'>): boolean =>
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
