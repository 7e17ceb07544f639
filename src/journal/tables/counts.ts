// Counts for the dashboard: of projects for five minutes, of rules for an hour.

import { ruleOutcomes } from '../../rules/explain/decision-outcome.ts'
import { type Database, keyText, type Statement } from '../database/database.ts'
import type { DecisionRecord, DeliveryRecord, FlowCounts, ProjectCounts, RuleCounts } from '../types.ts'

export const FLOW_BUCKET_MS = 5 * 60_000
const RULE_BUCKET_MS = 60 * 60_000
/** More matched or unknown rules of a decision are not counted: a project may have new ones all the time. */
export const MOST_RULES = 1_000
const MOST_WAITS = 10_000

/** In place of a rule, which has the name of a file before the `#`. */
const LABELLED = '#label'

const bucketOf = (at: number, size: number): string => new Date(Math.floor(at / size) * size).toISOString()

/** The key of a rule in `rules`, from `<file>#<rule name>`. */
export const ruleCountName = (rule: string): string => keyText(rule)

const noCounts = { deliveries: 0, unread: 0, decisions: 0, done: 0, failed: 0 }
/** The counts of a project of which nothing is stored. */
export const noProjectCounts: ProjectCounts = noCounts

const eventSums = (Object.keys(noCounts) as (keyof typeof noCounts)[])
  .map((name) => `sum(${name})::integer AS ${name}`)
  .join(', ')

export function countsTable({ schema, query }: Database, historyMs: number) {
  const since = (now: Date) => new Date(now.getTime() - historyMs).toISOString()
  const table = `${schema}.counts`
  return {
    /** For each five minutes from `from` to `until`, oldest first. */
    async flow(from: Date, until: Date): Promise<FlowCounts[]> {
      const first = bucketOf(from.getTime(), FLOW_BUCKET_MS)
      const found = await query<typeof noCounts & { at: Date }>(
        `SELECT at, ${eventSums} FROM ${table} WHERE rule = '' AND at >= $1 AND at < $2 GROUP BY at`,
        [first, until.toISOString()],
      )
      const byTime = new Map(found.map(({ at, ...counts }) => [at.getTime(), counts]))
      const buckets: FlowCounts[] = []
      for (let at = Date.parse(first); at < until.getTime(); at += FLOW_BUCKET_MS)
        buckets.push({ at: new Date(at).toISOString(), ...(byTime.get(at) ?? noCounts) })
      return buckets
    },
    /**
     * Of the decisions that settled a new event, of more than 10,000 the newest: milliseconds from the receipt of the
     * oldest event to the end of its evaluation, absent without a decision.
     */
    async latency(from: Date) {
      const [found] = await query<{ count: number; p50: number | null; p95: number | null }>(
        `SELECT count(*)::integer AS count, percentile_disc(0.5) WITHIN GROUP (ORDER BY waited_ms) AS p50,
           percentile_disc(0.95) WITHIN GROUP (ORDER BY waited_ms) AS p95
         FROM (
           SELECT waited_ms FROM ${schema}.decisions WHERE at >= $1 AND waited_ms IS NOT NULL
           ORDER BY at DESC LIMIT ${MOST_WAITS}
         ) AS newest`,
        [from.toISOString()],
      )
      const { count = 0, p50 = null, p95 = null } = found ?? {}
      return p50 === null || p95 === null ? { count } : { count, p50Ms: p50, p95Ms: p95 }
    },
    /** When calls that label were done, by the hour, and how many. */
    labelled: (from: Date): Promise<{ at: Date; done: number }[]> =>
      query(
        `SELECT at, sum(acted)::integer AS done FROM ${table} WHERE rule = '${LABELLED}' AND at >= $1 GROUP BY at`,
        [bucketOf(from.getTime(), RULE_BUCKET_MS)],
      ),
    /** The counts by project, for as long as history is stored; a project without any is absent. */
    async projects(projects: readonly number[], now: Date): Promise<Map<number, ProjectCounts>> {
      const found = await query<typeof noCounts & { project: string; last: Date | null }>(
        `SELECT project, ${eventSums}, max(last) AS last FROM ${table}
         WHERE project = ANY($1) AND rule = '' AND at >= $2 GROUP BY project`,
        [projects, since(now)],
      )
      return new Map(
        found.map(({ project, last, ...counts }) => [
          Number(project),
          { ...counts, lastDelivery: last?.toISOString() },
        ]),
      )
    },
    /** The counts by `ruleCountName`; a rule that never matched and never was unknown is absent. */
    async rules(project: number, now: Date): Promise<Map<string, RuleCounts>> {
      const found = await query<{ rule: string; acted: number; matched: number; unknown: number; last: Date | null }>(
        `SELECT rule, sum(acted)::integer AS acted, sum(matched)::integer AS matched, sum(unknown)::integer AS unknown,
           max(last) AS last
         FROM ${table} WHERE project = $1 AND rule NOT IN ('', '${LABELLED}') AND at >= $2 GROUP BY rule`,
        [project, since(now)],
      )
      return new Map(found.map(({ rule, last, ...counts }) => [rule, { ...counts, lastMatched: last?.toISOString() }]))
    },
  }
}

/** Counts a delivery when it is read, and again when a replay reads it. */
export function countDelivery(
  schema: string,
  { state, event, mergeRequests, receivedAt }: Omit<DeliveryRecord, 'replays'>,
): Statement {
  const project = event?.project ?? mergeRequests[0]?.project ?? 0
  const unread = state === 'unreadable' || state === 'refused' ? 1 : 0
  const at = bucketOf(Date.parse(receivedAt), FLOW_BUCKET_MS)
  // A refused delivery must not count for the project that it names.
  const rows =
    state === 'refused' && project !== 0
      ? [[0, 1, 0, null] as const, [project, 0, 1, null] as const]
      : [[project, 1, unread, receivedAt] as const]
  return {
    text: `INSERT INTO ${schema}.counts AS present (project, rule, at, deliveries, unread, last)
     SELECT project, '', $1::timestamptz, deliveries, unread, last
     FROM unnest($2::bigint[], $3::integer[], $4::integer[], $5::timestamptz[]) AS given (project, deliveries, unread, last)
     ON CONFLICT (project, rule, at) DO UPDATE
     SET deliveries = present.deliveries + EXCLUDED.deliveries, unread = present.unread + EXCLUDED.unread,
       last = GREATEST(present.last, EXCLUDED.last)`,
    values: [at, ...([0, 1, 2, 3] as const).map((column) => rows.map((row) => row[column]))],
  }
}

/** Counts a decision for its project, and its rules that matched or are unknown; after the step `saved`. */
export function countDecision(schema: string, decision: DecisionRecord): Statement {
  const { responses } = decision
  const number = (...results: string[]) => responses.filter(({ result }) => results.includes(result)).length
  const at = Date.parse(decision.at)
  const rules = new Map<string, { acted: number; matched: number; unknown: number }>()
  const labelled = responses.filter(({ call, result }) => call.action === 'label' && result === 'done').length
  if (labelled > 0) rules.set(LABELLED, { acted: labelled, matched: 0, unknown: 0 })
  for (const { rule, outcome } of ruleOutcomes(decision)) {
    if (outcome === 'false' || (rules.size === MOST_RULES && !rules.has(rule))) continue
    const before = rules.get(rule) ?? { acted: 0, matched: 0, unknown: 0 }
    rules.set(rule, { ...before, [outcome]: before[outcome] + 1 })
  }
  // In one order, so that two transactions do not wait for each other.
  const rows = [...rules].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    text: `INSERT INTO ${schema}.counts AS present (project, rule, at, decisions, done, failed, acted, matched, unknown, last)
     SELECT $1::bigint, '', $2::timestamptz, 1, $3::integer, $4::integer, 0, 0, 0, NULL::timestamptz FROM saved
     UNION ALL
     SELECT $1::bigint, rule, $5::timestamptz, 0, 0, 0, acted, matched, unknown, CASE WHEN acted + matched > 0 THEN $6::timestamptz END
     FROM unnest($7::text[], $8::integer[], $9::integer[], $10::integer[]) AS given (rule, acted, matched, unknown), saved
     ON CONFLICT (project, rule, at) DO UPDATE
     SET decisions = present.decisions + EXCLUDED.decisions, done = present.done + EXCLUDED.done,
       failed = present.failed + EXCLUDED.failed, acted = present.acted + EXCLUDED.acted,
       matched = present.matched + EXCLUDED.matched, unknown = present.unknown + EXCLUDED.unknown,
       last = GREATEST(present.last, EXCLUDED.last)`,
    values: [
      decision.mergeRequest.project,
      bucketOf(at, FLOW_BUCKET_MS),
      number('done', 'already'),
      number('refused', 'ambiguous'),
      bucketOf(at, RULE_BUCKET_MS),
      decision.at,
      rows.map(([rule]) => ruleCountName(rule)),
      ...(['acted', 'matched', 'unknown'] as const).map((name) => rows.map(([, counts]) => counts[name])),
    ],
  }
}
