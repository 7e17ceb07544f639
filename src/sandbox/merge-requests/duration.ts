// Durations such as `3h30m`: 1mo = 4w, 1w = 5d, 1d = 8h.
import type { MergeRequest } from '../records/records.ts'

const seconds = { mo: 4 * 5 * 8 * 3600, w: 5 * 8 * 3600, d: 8 * 3600, h: 3600, m: 60, s: 1 }

/** The largest 32-bit integer, as in GitLab. */
export const longestDuration = 2_147_483_647

/** Seconds, or undefined when invalid. */
export function parseDuration(text: string): number | undefined {
  if (!/^\s*(?:\d+(?:\.\d+)?\s*(?:mo|w|d|h|m|s)\s*)+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(mo|w|d|h|m|s)/g))
    total += Number(amount) * seconds[unit as keyof typeof seconds]
  return total <= longestDuration ? Math.round(total) : undefined
}

/** Also accepts `-30m`. */
export function parseTimeSpent(text: string): number | undefined {
  const [, minus = '', rest = ''] = /^\s*(-?)(.*)$/s.exec(text) ?? []
  const amount = parseDuration(rest)
  return amount !== undefined && minus === '-' && amount > 0 ? -amount : amount
}

/** `3h 30m`, `-30m`, or null for zero. */
export function formatDuration(total: number): string | null {
  if (total < 0) return `-${formatDuration(-total)}`
  const parts: string[] = []
  let rest = total
  for (const [unit, size] of Object.entries(seconds)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.length === 0 ? null : parts.join(' ')
}

/** In seconds and in words. */
export function showTimeStats({
  time_estimate,
  total_time_spent,
}: Pick<MergeRequest, 'time_estimate' | 'total_time_spent'>) {
  return {
    time_estimate,
    total_time_spent,
    human_time_estimate: formatDuration(time_estimate),
    human_total_time_spent: formatDuration(total_time_spent),
  }
}
