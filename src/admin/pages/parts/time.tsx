// Times relative to the viewer's now, with the exact time as a title and for machines; durations.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Session } from '../session/session.ts'

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

export function Time({ at }: { at: string }) {
  const exact = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(Date.parse(at) - Date.parse(useViewer().now))}
    </time>
  )
}

/** `3 min. ago`, `in 2 hr.` */
export function relativeTime(ms: number): string {
  const step = steps.find((each) => Math.abs(ms) >= each.ms)
  return step === undefined ? 'now' : format.format(Math.trunc(ms / step.ms), step.unit)
}

/** `840 ms`, `2.4 s`. */
export function formatMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** `12 s`, `3 min`, `4.5 h`, `2.1 d`. */
export function formatSpan(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`
  if (minutes < 60) return `${Math.round(minutes)} min`
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} h` : `${(minutes / 60 / 24).toFixed(1)} d`
}

export interface Viewer {
  session: Session
  /** ISO 8601. */
  now: string
}

export const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Throws if nobody is logged in. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (viewer === undefined) throw new Error('nobody is logged in')
  return viewer
}
