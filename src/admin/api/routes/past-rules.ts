// Merges past the rules: who merged what no rule would have, and which conditions failed, as JSON and as CSV.
import * as z from 'zod'
import { pastRulesId } from '../../../journal/tables/audit.ts'
import type { PastRules } from '../../../rules/backtest/past-rules.ts'
import type { MergeRequestRef } from '../../../rules/types.ts'
import type { AdminContext } from '../../admin-context.ts'
import { optionalProject, wholeNumber } from '../inputs.ts'
import { WEEK_MS, weekName, weekOf } from '../insights.ts'
import { mergeRequestRef, time } from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'
import { csv } from './insights.ts'

const text = z.string()
const merge = mergeRequestRef.extend({
  week: text.describe('ISO 8601, such as `2026-W48`, in UTC.'),
  at: time.describe('When it was merged.'),
  by: text.describe('The user name of who merged it; empty if nobody is named.'),
  rule: text.describe('The rule that came closest.'),
  failed: z.array(text).describe('Its conditions that were false. Without any, it may have allowed the merge.'),
  unknown: z.array(text).describe('Its conditions that could not be known for the moment of the merge.'),
})
export type PastMerge = z.output<typeof merge>
const pastMerges = z.object({ items: z.array(merge), complete: z.boolean().describe('False: only the newest 1,000.') })
export type PastMerges = z.output<typeof pastMerges>

/** The audit log is stored for so many weeks. */
const weeks = wholeNumber(1, 57).default(8).describe('The present week and those before it.')
const input = z.strictObject({ project: optionalProject, weeks })
const doc = 'the merges past the rules, newest first: by somebody other than Bellhop, and no rule would have made them'

export const pastRulesRoutes = [
  getRoute('list_past_merges', '/past-merges', {
    doc: `Lists ${doc}.`,
    input,
    responses: { 200: pastMerges },
    handle: async ({ input }, context) => ok(await read(context, input)),
  }),
  getRoute('export_past_merges', '/past-merges.csv', {
    doc: `Exports ${doc}. A row for each merge and condition.`,
    input,
    responses: { 200: text },
    file: { name: 'past-merges.csv', type: 'text/csv' },
    handle: async ({ input }, context) => ok(await asCsv(context, await read(context, input))),
  }),
]

async function read({ journal, now }: AdminContext, { project, weeks }: z.output<typeof input>): Promise<PastMerges> {
  const since = new Date(Date.parse(weekOf(now())) - (weeks - 1) * WEEK_MS).toISOString()
  const ids = project === undefined ? pastRulesId('') : pastRulesId(project, '')
  const { items, next } = await journal.audit.list({ ids, since, limit: 1_000 })
  const merges = items.map(({ at, by, to }) => {
    const week = weekName(weekOf(Date.parse(at)))
    return { ...(to as MergeRequestRef & (typeof to & PastRules)), week, at, by }
  })
  return { items: merges, complete: next === undefined }
}

async function asCsv({ journal }: AdminContext, { items }: PastMerges): Promise<string> {
  const names = await journal.mergeRequests.names(items.map(({ project }) => ({ project })))
  const rows = items.flatMap(({ project, week, at, iid, by, rule, ...conditions }, place) =>
    (['failed', 'unknown'] as const).flatMap((verdict) =>
      conditions[verdict].map((each) => [project, names[place]?.path ?? '', week, at, iid, by, rule, verdict, each]),
    ),
  )
  return csv([
    ['project_id', 'project', 'week', 'merged_at', 'iid', 'merged_by', 'rule', 'verdict', 'condition'],
    ...rows,
  ])
}
