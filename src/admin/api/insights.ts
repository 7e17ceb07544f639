// Insights: the time figures of merge requests by week of ISO 8601 (UTC) and by project, from the journal alone.
import * as z from 'zod'
import { DAY_MS } from '../../journal/days.ts'
import type { Journal } from '../../journal/journal.ts'
import {
  endsOf,
  type FigureName,
  figureNames,
  type MergeRequestTimes,
  spansOf,
} from '../../rules/explain/time-figures.ts'
import { count, names, time } from './response-schemas.ts'

/** So many merge requests are read at most: the newest. */
export const MOST_READ = 5_000
/** Fewer merge requests have no 90th percentile. */
const FEWEST_FOR_P90 = 10

const milliseconds = z.number().nonnegative()
const figure = z.object({
  count: count.describe('Merge requests for which it ended in the period.'),
  medianMs: milliseconds,
  p90Ms: milliseconds.optional().describe('The 90th percentile; absent for fewer than ten merge requests.'),
  totalMs: milliseconds,
})
export type Figure = z.output<typeof figure>

const figures = z.object({
  leftOut: count.describe('Merge requests without figures, because Bellhop did not see their opening.'),
  figures: z.partialRecord(z.enum(figureNames), figure).describe('Absent where nothing ended in the period.'),
})
export type Figures = z.output<typeof figures>

const week = figures.extend({ week: z.string().describe('ISO 8601, such as `2026-W48`.'), from: time })
export type WeekFigures = z.output<typeof week>

export const insights = z.object({
  from: time.describe('When the first week begins.'),
  complete: z.boolean().describe('False: only the newest 5,000 merge requests were read.'),
  weeks: z.array(week).describe('Newest first, also those in which nothing ended.'),
  projects: z
    .array(figures.extend({ project: z.int(), ...names, weeks: z.array(week) }))
    .describe('Those with the most figures first; over all the weeks, and by week.'),
})
export type Insights = z.output<typeof insights>

/** The present week and those before it, `weeks` in all. */
export async function readInsights(
  journal: Pick<Journal, 'mergeRequests'>,
  { now, weeks, ...of }: { project?: number; now: number; weeks: number },
): Promise<Insights> {
  const present = Date.parse(weekOf(now))
  const starts = Array.from({ length: weeks }, (_, ago) => present - ago * WEEK_MS)
  const from = starts.at(-1) ?? present
  const range = { since: new Date(from), until: new Date(present + WEEK_MS) }
  const read = await journal.mergeRequests.times({ ...of, ...range }, MOST_READ + 1)
  const used = read.slice(0, MOST_READ)
  const byProject = new Map<number, typeof used>()
  for (const each of used) {
    const { project } = each.mergeRequest
    const own = byProject.get(project)
    if (own === undefined) byProject.set(project, [each])
    else own.push(each)
  }
  const weeksOf = (all: readonly { times: MergeRequestTimes }[]) =>
    starts.map((start) => ({ ...weekOfStart(start), ...figuresOf(all, start, start + WEEK_MS) }))
  const projects = [...byProject].map(([project, all]) => ({
    project,
    ...figuresOf(all, from, present + WEEK_MS),
    weeks: weeksOf(all).filter(hasAny),
  }))
  return {
    from: new Date(from).toISOString(),
    complete: read.length <= MOST_READ,
    weeks: weeksOf(used),
    projects: projects.filter(hasAny).sort((a, b) => size(b) - size(a) || a.project - b.project),
  }
}

/** What ended in the period; `until` is excluded. */
export function figuresOf(all: readonly { times: MergeRequestTimes }[], from: number, until: number): Figures {
  const isWithin = (at: number) => at >= from && at < until
  const took = new Map<FigureName, number[]>(figureNames.map((name) => [name, []]))
  let leftOut = 0
  for (const { times } of all) {
    const spans = spansOf(times)
    if (spans === undefined && endsOf(times).some(isWithin)) leftOut += 1
    for (const [name, list] of took) {
      const span = spans?.[name]
      if (span !== undefined && isWithin(span.endedAt)) list.push(span.tookMs)
    }
  }
  return {
    leftOut,
    figures: Object.fromEntries(
      [...took].flatMap(([name, list]) => (list.length === 0 ? [] : [[name, figureOf(list)]])),
    ),
  }
}

function figureOf(took: readonly number[]): Figure {
  const sorted = [...took].sort((a, b) => a - b)
  const count = sorted.length
  // The nearest rank: a time that a merge request really took.
  const rank = (share: number) => sorted[Math.ceil(share * count) - 1] ?? 0
  return {
    count,
    medianMs: rank(0.5),
    p90Ms: count < FEWEST_FOR_P90 ? undefined : rank(0.9),
    totalMs: sorted.reduce((sum, each) => sum + each, 0),
  }
}

const weekOfStart = (start: number) => {
  const from = new Date(start).toISOString()
  return { week: weekName(from), from }
}

const hasAny = ({ leftOut, figures }: Figures) => leftOut > 0 || Object.keys(figures).length > 0

const size = ({ figures }: Figures) => Object.values(figures).reduce((sum, { count }) => sum + count, 0)

export const WEEK_MS = 7 * DAY_MS
/** The epoch began on a Thursday. */
const FIRST_MONDAY_MS = -3 * DAY_MS

/** When the week of a moment (milliseconds since 1970) begins, ISO 8601. */
export function weekOf(at: number): string {
  return new Date(Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS).toISOString()
}

/** The name of the week that begins then: `2026-W48`. A week belongs to the year of its Thursday. */
export function weekName(start: string): string {
  const thursday = new Date(Date.parse(start) + 3 * DAY_MS)
  const year = thursday.getUTCFullYear()
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}
