// A freeze by hand, as commands, the dashboard and comments give it: nothing merges in a project until it ends.
import { parseDuration } from './durations.ts'
import { sayMoment } from './time-windows.ts'
import { oneLine } from './wording.ts'

export interface Freeze {
  /** ISO 8601: over once that is past. */
  until: string
  reason?: string
  /** Labels: a merge request with one of them merges nevertheless. */
  except: string[]
  /** Who began it, or ended it. */
  by: string
  /** When that was, ISO 8601. */
  at: string
}

/** As people write it: `except` has labels with commas between. */
export interface FreezeRequest {
  until?: string
  reason?: string
  except?: string
}

const longestMs = 366 * 24 * 60 * 60_000
const longestReason = 200

/** What is expected where a freeze has no end, or one that cannot be read. */
export const freezeEnd =
  'a freeze must end after now and within a year: give a time such as 2h, 3d or 2026-12-01T09:00Z'

/** Undefined if its end is missing, cannot be read, is past, or is more than a year away. `at`: ISO 8601. */
export function readFreeze({ until = '', reason = '', except = '' }: FreezeRequest, by: string, at: string) {
  const now = Date.parse(at)
  const end = endOf(until.trim(), now)
  if (!(end > now && end <= now + longestMs)) return undefined
  const why = oneLine(reason, longestReason)
  const labels = except.split(',').map((label) => label.replaceAll(/\p{Cc}/gu, '').trim())
  const freeze: Freeze = {
    until: new Date(end).toISOString(),
    ...(why === '' ? {} : { reason: why }),
    except: labels.filter((label) => label !== ''),
    by,
    at,
  }
  return freeze
}

/** A time without a zone is in UTC. NaN if it cannot be read. */
function endOf(text: string, now: number): number {
  const seconds = parseDuration(text, 'calendar')
  if (seconds !== undefined) return now + seconds * 1000
  const [, day = '', time = 'T00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  return Date.parse(`${day}${time.replace(' ', 'T')}${zone}`)
}

/** Whether nothing merges at `now`. */
export const isFrozen = (freeze: Freeze | undefined, now: string): freeze is Freeze =>
  freeze !== undefined && Date.parse(freeze.until) > Date.parse(now)

/** `frozen until Mon 30 Nov 09:00 UTC (the release)` */
export const sayFreeze = ({ until, reason }: Pick<Freeze, 'until' | 'reason'>): string =>
  `frozen until ${sayMoment(Date.parse(until))}${reason === undefined ? '' : ` (${reason})`}`
