// Merges past the rules: who merged what no rule would have, and which conditions failed, as JSON and as CSV.
import * as z from 'zod'
import type { AdminContext } from '../../admin-context.ts'
import { optionalProject, wholeNumber } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'
import { WEEK_MS, weekName, weekOf } from '../weeks.ts'
import { csv } from './insights.ts'

/** The audit log is stored for so long. */
const mostWeeks = 57
export const mostMerges = 1_000

const conditions = z.array(z.string())
const merge = schemas.mergeRequestRef.extend({
  week: z.string().describe('ISO 8601, such as `2026-W48`, in UTC.'),
  at: schemas.time.describe('When it was merged.'),
  by: z.string().describe('The user name of who merged it; empty if nobody is named.'),
  rule: z.string().describe('The rule that came closest.'),
  failed: conditions.describe('Its conditions that were false; empty if it may have allowed the merge.'),
  unknown: conditions.describe('Its conditions that could not be known for the moment of the merge.'),
})
export type PastMerge = z.output<typeof merge>

const pastMerges = z.object({
  items: z.array(merge),
  complete: z.boolean().describe(`False: only the newest ${mostMerges} are shown.`),
})
export type PastMergesResponse = z.output<typeof pastMerges>

const input = z.strictObject({
  project: optionalProject,
  weeks: wholeNumber(1, mostWeeks).default(8).describe('The present week and those before it.'),
})

export const pastRulesRoutes = [
  getRoute('list_past_merges', '/past-merges', {
    doc: 'Lists the merges past the rules, newest first: those by somebody other than Bellhop that no rule would have made.',
    input,
    responses: { 200: pastMerges },
    handle: async ({ input }, context) => ok(await read(context, input)),
  }),
  getRoute('export_past_merges', '/past-merges.csv', {
    doc: 'Exports the same as CSV: a row for each merge and condition.',
    input,
    responses: { 200: z.string() },
    file: { name: 'past-merges.csv', type: 'text/csv' },
    handle: async ({ input }, context) => ok(await asCsv(context, await read(context, input))),
  }),
]

async function read(
  { journal, now }: AdminContext,
  { project, weeks }: { project?: number; weeks: number },
): Promise<PastMergesResponse> {
  const since = new Date(Date.parse(weekOf(now())) - (weeks - 1) * WEEK_MS).toISOString()
  const found = await journal.audit.pastRules({ project, since, limit: mostMerges + 1 })
  const items = found.slice(0, mostMerges).map(({ at, by, to }) => {
    const week = weekName(weekOf(Date.parse(at)))
    return { ...(to as Pick<PastMerge, 'project' | 'iid' | 'rule' | 'failed' | 'unknown'>), week, at, by }
  })
  return { items, complete: found.length <= mostMerges }
}

async function asCsv({ journal }: AdminContext, { items }: PastMergesResponse): Promise<string> {
  const names = await journal.mergeRequests.names(items.map(({ project }) => ({ project })))
  const rows = items.flatMap(({ project, week, at, iid, by, rule, failed, unknown }, place) => {
    const of = [project, names[place]?.path ?? '', week, at, iid, by, rule]
    return [...failed.map((each) => [...of, 'failed', each]), ...unknown.map((each) => [...of, 'unknown', each])]
  })
  const head = ['project_id', 'project', 'week', 'merged_at', 'iid', 'merged_by', 'rule', 'verdict', 'condition']
  return csv([head, ...rows])
}
