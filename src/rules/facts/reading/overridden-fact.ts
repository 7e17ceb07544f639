// What-if overrides replace facts; the engine sees no difference.
import type { FactValue, Override } from '../../types.ts'

function changed(value: FactValue, override: Override): FactValue {
  // An unknown value stays unknown: an added label is no whole list.
  if ('is' in override || value.is !== 'known' || !Array.isArray(value.value)) return value
  const list =
    'add' in override
      ? [...new Set([...value.value, ...override.add])]
      : value.value.filter((each) => typeof each !== 'string' || !override.remove.includes(each))
  return { ...value, value: list, remark: value.remark ?? 'overridden' }
}

/** The fact after overrides; reads it only if no override gives the whole value. Later overrides win. */
export function overriddenFact(name: string, overrides: readonly Override[], read: () => FactValue): FactValue {
  const own = overrides.filter(({ fact }) => fact === name)
  const last = own.findLastIndex((each) => 'is' in each)
  const said = own[last]
  return own.slice(last + 1).reduce(changed, said !== undefined && 'is' in said ? said.is : read())
}
