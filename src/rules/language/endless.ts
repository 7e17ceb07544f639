// Whether a condition can become false again: by the clock, or because its facts can change.
import { factNamed } from '../facts/index.ts'
import type { FactCondition } from './conditions.ts'
import type { Condition, Json, Verdict } from './values/rule-types.ts'
import { isWithin, nextChange } from './values/time-windows.ts'

/** A Monday after the last day of every window that ends. */
const LATER = Date.UTC(2100, 0, 4)
const EIGHT_DAYS = 8 * 24 * 60 * 60_000

/** The verdict that never changes again after the last window; undefined if it changes. */
function lastingWindow(expected: Json): Verdict | undefined {
  const first = isWithin(expected, LATER)
  let at: number | undefined = LATER
  while (at !== undefined && at < LATER + EIGHT_DAYS) {
    if (isWithin(expected, at) !== first) return undefined
    at = nextChange(expected, at)
  }
  return first ? 'true' : 'false'
}

/** The verdicts that the condition may have without end. */
function lastingVerdicts(condition: Condition): ReadonlySet<Verdict> {
  if ('fact' in condition) return lastingFact(condition)
  if ('use' in condition) return lastingVerdicts(condition.is)
  if ('not' in condition) {
    const inner = lastingVerdicts(condition.not)
    return new Set<Verdict>([...inner].map((each) => (each === 'true' ? 'false' : 'true')))
  }
  const [parts, deciding] = 'all' in condition ? [condition.all, 'false' as const] : [condition.any, 'true' as const]
  const otherwise = deciding === 'false' ? 'true' : 'false'
  const each = parts.map(lastingVerdicts)
  const verdicts = new Set<Verdict>()
  if (each.some((one) => one.has(deciding))) verdicts.add(deciding)
  if (each.every((one) => one.has(otherwise))) verdicts.add(otherwise)
  return verdicts
}

function lastingFact({ fact, expected }: FactCondition): ReadonlySet<Verdict> {
  const declared = factNamed(fact)
  if (declared?.type.name === 'clock') {
    const verdict = lastingWindow(expected)
    return new Set(verdict === undefined ? [] : [verdict])
  }
  return new Set<Verdict>(declared?.stable === true ? ['true', 'false'] : [])
}

/** Whether the condition, once true, may never become false again, whatever anybody does. */
export const mayNeverEnd = (condition: Condition): boolean => lastingVerdicts(condition).has('true')
