// Whether a condition can become false again: by the clock, or because its facts can change.
import { factNamed } from '../facts/index.ts'
import { partsOf } from './conditions.ts'
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

/** Whether the condition may have the verdict without end. */
function mayStay(condition: Condition, verdict: Verdict): boolean {
  if ('not' in condition) return mayStay(condition.not, verdict === 'true' ? 'false' : 'true')
  if ('fact' in condition) {
    const declared = factNamed(condition.fact)
    return declared?.type.name === 'clock' ? lastingWindow(condition.expected) === verdict : declared?.stable === true
  }
  const parts = partsOf(condition)
  const takesAll = verdict === ('any' in condition ? 'false' : 'true')
  return takesAll ? parts.every((each) => mayStay(each, verdict)) : parts.some((each) => mayStay(each, verdict))
}

/** Whether the condition, once true, may never become false again, whatever anybody does. */
export const mayNeverEnd = (condition: Condition): boolean => mayStay(condition, 'true')
