// Insights: time figures of merge requests by week and project, as JSON and as CSV.
import * as z from 'zod'
import type { FigureName } from '../../../rules/explain/time-figures.ts'
import type { AdminContext } from '../../admin-context.ts'
import { optionalProject, wholeNumber } from '../inputs.ts'
import { type Figures, type Insights, insights, readInsights } from '../insights.ts'
import { count } from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'

/** The times of merge requests are stored for so long. */
export const mostWeeks = 13
const mostProjects = 100

const insightsResponse = insights.extend({ projectCount: count.describe(`At most ${mostProjects} are shown.`) })
export type InsightsResponse = z.output<typeof insightsResponse>

const input = z.strictObject({
  project: optionalProject,
  weeks: wholeNumber(1, mostWeeks).default(8).describe('The present week and those before it.'),
})

export const insightsRoutes = [
  getRoute('show_insights', '/insights', {
    doc: 'Shows the times of merge requests to the first review, approval and merge, and for what they waited, by week and project. Each counts in the week (UTC) in which it ended.',
    input,
    responses: { 200: insightsResponse },
    async handle({ input }, context) {
      const { projects, ...rest } = await read(context, input)
      return ok({ ...rest, projects: projects.slice(0, mostProjects), projectCount: projects.length })
    },
  }),
  getRoute('export_insights', '/insights.csv', {
    doc: 'Exports the same as CSV: a row for each project, week and figure. The figure `left_out` only counts.',
    input,
    responses: { 200: z.string() },
    file: { name: 'insights.csv', type: 'text/csv' },
    handle: async ({ input }, context) => ok(await insightsAsCsv(context, await read(context, input))),
  }),
]

const read = ({ journal, now }: AdminContext, { project, weeks }: { project?: number; weeks: number }) =>
  readInsights(journal, { weeks, now: now(), project })

async function insightsAsCsv({ journal }: AdminContext, { projects }: Insights): Promise<string> {
  const paths = await journal.mergeRequests.names(projects.map(({ project }) => ({ project })))
  const rows = projects.flatMap(({ project, weeks }, at) =>
    weeks.flatMap(({ week, ...of }) => rowsOf(of).map((row) => [project, paths[at]?.path ?? '', week, ...row])),
  )
  const head = ['project_id', 'project', 'week', 'figure']
  return csv([[...head, 'count', 'median_seconds', 'p90_seconds', 'total_seconds'], ...rows])
}

function rowsOf({ figures, leftOut }: Figures): (string | number)[][] {
  const seconds = (ms: number | undefined) => (ms === undefined ? '' : Math.round(ms / 1_000))
  const rows = (Object.entries(figures) as [FigureName, NonNullable<Figures['figures'][FigureName]>][]).map(
    ([name, { count, medianMs, p90Ms, totalMs }]) => [name, count, seconds(medianMs), seconds(p90Ms), seconds(totalMs)],
  )
  return leftOut === 0 ? rows : [...rows, ['left_out', leftOut, '', '', '']]
}

/** What a spreadsheet takes for the beginning of a formula. A tab or a line break may come before it. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/

/** Ends each row with a line break. Others choose paths and names: what would be a formula gets a leading `'`. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
