// Reads an access level from the service's answer about a member.

import { level, levelOf } from '../../language/operators/fact-types.ts'
import type { FactValue } from '../../types.ts'
import { known, type Reading } from './fact.ts'

/** The lowest level of a member. */
export const GUEST = 10
/** The lowest level that reads confidential issues. */
export const REPORTER = 20

/** The access level, as a number if this version has no name for it; `none` for a non-member. */
export function accessIn(reading: Reading<{ access_level: number }>): FactValue {
  if (reading.is === 'absent' && reading.status === 404) return known(level, 'none')
  return reading.is === 'read' ? known(level, levelOf(reading.body.access_level)) : reading
}
