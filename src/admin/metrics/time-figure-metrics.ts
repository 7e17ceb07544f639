// The metrics of time figures: gauges over the last seven days, read from the journal. No label names a project.

import type { Journal } from '../../journal/journal.ts'
import { figureNames } from '../../rules/explain/time-figures.ts'
import { type Figures, figuresOf, MOST_READ, WEEK_MS, weekOf } from '../api/insights.ts'
import { cached, type MetricFactory, orUnavailable, put } from './metric-factory.ts'

/** Long, because thousands of records may be read. */
const cacheMs = 5 * 60_000

/** The figures of what ended within the last seven days, at most five minutes old. */
export function recentFigures(
  journal: Pick<Journal, 'mergeRequests'>,
  now: () => number,
): () => Promise<Figures | undefined> {
  const read = async () => {
    const until = now()
    const range = { since: new Date(weekOf(until - WEEK_MS)), until: new Date(until + 1) }
    return figuresOf(await journal.mergeRequests.times(range, MOST_READ), until - WEEK_MS, until + 1)
  }
  return cached(() => read().catch(orUnavailable), { cacheMs, now })
}

/** Returns what sets them; undefined while the journal does not respond: the gauges are absent. */
export function createTimeFigureMetrics({ gauge }: MetricFactory): (totals: Figures | undefined) => void {
  const seconds = gauge(
    'merge_request_time_seconds',
    'Time figures of what ended in the last seven days, as on the Insights page: of the waiting times, for those that waited; the percentile 90 is absent for fewer than ten.',
    'figure',
    'percentile',
  )
  const counts = gauge('merge_request_times', 'Merge requests in each of these figures.', 'figure')
  const leftOut = gauge(
    'merge_request_times_left_out',
    'Merge requests that these figures leave out, because their opening was not seen.',
  )
  const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000)
  return (totals) => {
    for (const figure of figureNames) {
      const { count = 0, medianMs, p90Ms } = totals?.figures[figure] ?? {}
      put(seconds, { figure, percentile: '50' }, inSeconds(medianMs))
      put(seconds, { figure, percentile: '90' }, inSeconds(p90Ms))
      put(counts, { figure }, totals && count)
    }
    put(leftOut, {}, totals?.leftOut)
  }
}
