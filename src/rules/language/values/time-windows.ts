// Time windows: days, hours and dates in a time zone; whether a moment is in one, and when that changes.
import { memoize } from './fingerprint.ts'
import type { Json } from './rule-types.ts'
import { choice, described, fields, isMap, listOf, refuse, type Shape, textThat } from './shapes.ts'
import { either } from './wording.ts'

/** A window as a rule writes it; in UTC without a zone. Hours over midnight belong to the day on which they begin. */
interface Window {
  days?: string[]
  /** `09:00-17:30`, without the end; `22:00-06:00` runs over midnight. */
  hours?: string
  /** First and last day, both included. */
  from?: string
  to?: string
  zone?: string
}

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const MOST_ZONES = 100
/** Weekly windows change within eight days, and a day has three borders. */
const MOST_STEPS = 30

/** The number of the day since 1970-01-01; undefined if there is no such day. */
function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : time / DAY
}

/** Milliseconds after midnight. The end may be `24:00`. */
function parseHours(text: string): { start: number; end: number } | undefined {
  const [, ...digits] = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/.exec(text) ?? []
  const [h1 = 99, m1 = 99, h2 = 99, m2 = 99] = digits.map(Number)
  const [start, end] = [h1 * 60 + m1, h2 * 60 + m2]
  if (h1 > 23 || m1 > 59 || m2 > 59 || end > 1440 || start === end) return undefined
  return { start: start * MINUTE, end: end * MINUTE }
}

/** The local time of a zone as milliseconds, as if it were UTC. */
type LocalTime = (at: number) => number

const localTimeOf = memoize<LocalTime>(MOST_ZONES, (zone) => {
  // Swedish times are those of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => Date.parse(`${format.format(at)}Z`) + (at - Math.floor(at / 1000) * 1000)
})

const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{0,49}$/

function isZone(text: string): boolean {
  if (!ZONE.test(text)) return false
  try {
    localTimeOf(text)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

type Span = ReturnType<typeof spanOf>

function spanOf({ days, hours, from, to, zone = 'UTC' }: Window) {
  const { start, end } = (hours === undefined ? undefined : parseHours(hours)) ?? { start: 0, end: DAY }
  return {
    days: days?.map((day) => (WEEK as readonly string[]).indexOf(day)),
    start,
    end,
    from: from === undefined ? undefined : parseDay(from),
    to: to === undefined ? undefined : parseDay(to),
    local: zone === 'UTC' ? (at: number) => at : localTimeOf(zone),
  }
}

function contains({ days, start, end, from, to }: Span, local: number): boolean {
  const today = Math.floor(local / DAY)
  const time = local - today * DAY
  const overnight = end < start
  if (overnight ? time >= end && time < start : time < start || time >= end) return false
  const day = overnight && time < end ? today - 1 : today
  // 1970-01-01 was a Thursday.
  const weekday = (((day + 4) % 7) + 7) % 7
  return (days?.includes(weekday) ?? true) && (from === undefined || day >= from) && (to === undefined || day <= to)
}

/** The moment after `at`, up to `until`, at which the zone's clock is put forward or back. There must be one. */
function shiftBetween(local: LocalTime, at: number, until: number): number {
  const offset = local(at) - at
  let [same, other] = [at, until]
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (local(middle) - middle === offset) same = middle
    else other = middle
  }
  return other
}

/** The local time at which the window begins or ends, without shifts of the clock; or at which the search stopped. */
function nextBorder(span: Span, local: number): number {
  const now = contains(span, local)
  let border = local
  for (let step = 0; step < MOST_STEPS; step++) {
    const midnight = Math.floor(border / DAY) * DAY
    const after = border
    border = Math.min(...[span.start, span.end, DAY].map((each) => midnight + each).filter((each) => each > after))
    if (contains(span, border) !== now) break
  }
  return border
}

/** When the window begins or ends. Never late; early if it is more than a week away. */
function changeAfter(span: Span, at: number): number | undefined {
  const local = span.local(at)
  const today = Math.floor(local / DAY)
  // The last night may end on the next day.
  if (span.to !== undefined && today > span.to + 1) return undefined
  // Two days early, because a zone may skip a day.
  if (span.from !== undefined && today < span.from - 2) return at + (span.from - today - 2) * DAY
  const change = at + nextBorder(span, local) - local
  if (span.local(change) - change === local - at) return change
  const shift = shiftBetween(span.local, at, change)
  return contains(span, span.local(shift)) === contains(span, local) ? changeAfter(span, shift) : shift
}

const windowsIn = (expected: Json): Window[] =>
  (Array.isArray(expected) ? expected : [expected]).filter(isMap) as Window[]

/** Whether a moment (epoch milliseconds) is in one of the windows. */
export function isWithin(expected: Json, at: number): boolean {
  return windowsIn(expected)
    .map(spanOf)
    .some((span) => contains(span, span.local(at)))
}

/** The earliest moment after `at` at which that may change; undefined if it never does. */
export function nextChange(expected: Json, at: number): number | undefined {
  const changes = windowsIn(expected).flatMap((window) => changeAfter(spanOf(window), at) ?? [])
  return changes.length === 0 ? undefined : Math.min(...changes)
}

function sayWindow({ days, hours, from, to, zone = 'UTC' }: Window): string {
  const dates = from === undefined ? `until ${to}` : `from ${from}${to === undefined ? '' : ` to ${to}`}`
  const parts = [
    days === undefined ? undefined : either(days),
    hours,
    from === undefined && to === undefined ? undefined : dates,
  ]
  return `${parts.filter((part) => part !== undefined).join(', ')} (${zone})`
}

/** The last moment that a Date can hold. */
const LAST_MOMENT = 8.64e15

/** `Sat 10 Jan 00:58 Europe/Berlin`, in the zone of the first window, else in UTC. */
export function sayMoment(at: number, expected: Json = []): string {
  const zone = windowsIn(expected)[0]?.zone ?? 'UTC'
  if (!(Math.abs(at) <= LAST_MOMENT)) return 'no time'
  return new Date(localTimeOf(zone)(at)).toUTCString().replace(/^(\w+), (\d+ \w+) \d+ (\d+:\d+).*/, `$1 $2 $3 ${zone}`)
}

export const sayWindows = (expected: Json): string => either(windowsIn(expected).map(sayWindow))

const date = textThat('a day such as 2026-12-20', (text) => parseDay(text) !== undefined, {
  pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$',
})
const hours = textThat('hours such as 09:00-17:30 or 22:00-06:00', (text) => parseHours(text) !== undefined, {
  pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d-(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$',
})
const zone = textThat('a time zone such as UTC or Europe/Berlin', isZone, { pattern: ZONE.source })
const windowFields = fields({
  days: described('The days of the week.', listOf(choice(WEEK), WEEK.length)),
  hours: described('From and to: `09:00-17:30`; `22:00-06:00` runs over midnight. The end is no longer in it.', hours),
  from: described('The first day.', date),
  to: described('The last day.', date),
  zone: described('The time zone; UTC where none is named.', zone),
})

const window: Shape = {
  expected: windowFields.expected,
  schema: (context) => ({
    ...windowFields.schema(context),
    anyOf: ['days', 'hours', 'from', 'to'].map((key) => ({ required: [key] })),
  }),
  read(value, path, issues) {
    const read = windowFields.read(value, path, issues)
    if (read === undefined) return undefined
    const { days, hours, from, to } = read
    if (days === undefined && hours === undefined && from === undefined && to === undefined)
      return refuse(issues, {
        path,
        expected: 'at least one of days, hours, from and to',
        found: 'a window without them',
      })
    if (from !== undefined && to !== undefined && to < from)
      return refuse(issues, { path: [...path, 'to'], expected: `${from} or a later day` })
    return read
  },
}

export const windows: Shape = listOf(window, 20)
