// The facts that a decision records for a backtest, because the service cannot tell them afterwards.
import type { Fact } from '../facts/definition/fact.ts'
import { facts } from '../facts/index.ts'
import { createView } from '../facts/reading/fact-view.ts'
import type { Json } from '../language/values/rule-types.ts'
import type { DecideInput } from '../types.ts'

const recorded = Object.entries<Fact>(facts as Record<string, Fact>).flatMap(([name, fact]) =>
  fact.recorded === true ? [name] : [],
)

/** Larger values are not recorded. */
const MOST = { characters: 1_000, entries: 100 }

const isSmall = (value: Json) =>
  (typeof value !== 'string' || value.length <= MOST.characters) &&
  (!Array.isArray(value) || (value.length <= MOST.entries && value.every(isSmall)))

/** The recorded facts that the answers contain completely. Nothing is read for them. */
export function transientFacts(input: DecideInput): Record<string, Json> {
  const view = createView(input)
  return Object.fromEntries(
    recorded.flatMap((name) => {
      const fact = view.fact(name)
      if (view.hides(name)) return []
      return fact.is === 'known' && fact.complete && isSmall(fact.value) ? [[name, fact.value] as const] : []
    }),
  )
}
