// A moment as people say it, with the exact time for those who point at it and for machines.
import { useViewer } from './viewer.ts'

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const
const said = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

export function Time({ at }: { at: string }) {
  const exact = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
  return (
    <time dateTime={at} title={exact}>
      {ago(Date.parse(at) - Date.parse(useViewer().now))}
    </time>
  )
}

/** Of milliseconds: `3 min. ago`, `in 2 hr.` */
export function ago(ms: number): string {
  const step = steps.find((each) => Math.abs(ms) >= each.ms)
  return step === undefined ? 'now' : said.format(Math.trunc(ms / step.ms), step.unit)
}

/** `840 ms`, `2.4 s`. */
export function sayMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
