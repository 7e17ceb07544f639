// The effects of calls as overrides of facts, so that rules see the state after them.
import type { Call, Override } from '../types.ts'

export function overridesAfter(calls: readonly Pick<Call, 'effects'>[]): Override[] {
  return calls.flatMap(({ effects = [] }) =>
    effects.map((effect): Override => {
      if (!('value' in effect)) return effect
      const { fact, value } = effect
      return { fact, is: { is: 'known', value, complete: true, remark: 'overridden' } }
    }),
  )
}
