// Durations as rules write them: `15m`, `3h30m`, `30d`.

/** `calendar`, for ages: a day has 24 hours. `working`, for estimates: a day has 8 hours, and a week 5 days. */
type Calendar = 'calendar' | 'working'

const SECONDS: Record<Calendar, Record<string, number>> = {
  calendar: { w: 604_800, d: 86_400, h: 3600, m: 60 },
  working: { w: 144_000, d: 28_800, h: 3600, m: 60 },
}
const LONGEST_TEXT = 50
const MOST_SECONDS = 10_000_000_000

export const durationSchema = {
  type: 'string',
  maxLength: LONGEST_TEXT,
  pattern: '^(?!.*([wdhm]).*\\1)(?:\\d{1,6}[wdhm] *){1,4}$',
}

export const positiveDurationSchema = {
  ...durationSchema,
  pattern: durationSchema.pattern.replace('^', '^(?=.*[1-9])'),
}

/** Seconds, or undefined if the text is no duration. */
export function parseDuration(text: string, calendar: Calendar): number | undefined {
  if (text.length > LONGEST_TEXT || !/^(?:\d{1,6}[wdhm] ?){1,4}$/.test(`${text} `.replace(/ +/g, ' '))) return undefined
  const parts = [...text.matchAll(/(\d+)([wdhm])/g)]
  const units = parts.map((part) => part[2])
  if (new Set(units).size !== units.length) return undefined
  const seconds = parts.reduce(
    (sum, part) => sum + Number(part[1]) * (SECONDS[calendar][part[2] ?? ''] ?? Number.NaN),
    0,
  )
  return seconds <= MOST_SECONDS ? seconds : undefined
}

/** A text that `parseDuration` reads as the same time; seconds are dropped. Weeks are of work only: `30d`, not `4w2d`. */
export function formatDuration(seconds: number, calendar: Calendar): string {
  let rest = Math.max(0, Math.floor(seconds))
  const parts: string[] = []
  for (const [unit, size] of Object.entries(SECONDS[calendar])) {
    const whole = unit === 'w' && calendar === 'calendar' ? 0 : Math.floor(rest / size)
    if (whole > 0) parts.push(`${whole}${unit}`)
    rest -= whole * size
  }
  return parts.length === 0 ? '0m' : parts.join('')
}

/** The time in hours and minutes, which do not depend on an installation's working day. */
export function formatHours(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${hours > 0 ? `${hours}h` : ''}${rest > 0 || hours === 0 ? `${rest}m` : ''}`
}
