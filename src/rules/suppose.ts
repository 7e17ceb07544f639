// What-if: what is supposed is laid over the facts; the engine does not know the difference.
import type { FactValue, Supposition } from './types.ts'

function changed(value: FactValue, supposition: Supposition): FactValue {
  // What is not known stays so: one label more is no list of labels.
  if ('is' in supposition || value.is !== 'known' || !Array.isArray(value.value)) return value
  const list =
    'add' in supposition
      ? [...new Set([...value.value, ...supposition.add])]
      : value.value.filter((each) => typeof each !== 'string' || !supposition.remove.includes(each))
  return { ...value, value: list, note: value.note ?? 'supposed' }
}

/** The fact as it is supposed; read only where that does not say all of it. Later suppositions go over earlier ones. */
export function supposed(name: string, suppositions: readonly Supposition[], read: () => FactValue): FactValue {
  const own = suppositions.filter(({ fact }) => fact === name)
  const last = own.findLastIndex((each) => 'is' in each)
  const said = own[last]
  return own.slice(last + 1).reduce(changed, said !== undefined && 'is' in said ? said.is : read())
}
