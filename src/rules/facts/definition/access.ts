// Reads an access level from the service's answer about a member.

import { level } from '../../language/operators/fact-types.ts'
import type { FactValue } from '../../types.ts'
import { known, type Reading } from './fact.ts'

/** The lowest level of a member. */
export const GUEST = 10
/** The lowest level that reads confidential issues. */
export const REPORTER = 20

const levels: Record<number, string> = { 10: 'guest', 20: 'reporter', 30: 'developer', 40: 'maintainer', 50: 'owner' }

/** The access level; `none` for a non-member, absent for an unknown level. */
export function accessIn(reading: Reading<{ access_level: number }>): FactValue {
  if (reading.is === 'absent' && reading.status === 404) return known(level, 'none')
  return reading.is === 'read' ? known(level, levels[reading.body.access_level ?? 0]) : reading
}
