// Decisions: by id, and by merge request, project, delivery, rule, outcome or evaluation.

import { matchedRules, outcomeOf } from '../../rules/explain/decision-outcome.ts'
import {
  after,
  compressed,
  type Database,
  decompressed,
  keyText,
  pageOf,
  type Statement,
  together,
  valueIn,
  where,
} from '../database/database.ts'
import type { DecisionFilter, DecisionRecord, JournalPage, PageRequest, Replay } from '../types.ts'
import { countDecision } from './counts.ts'
import { addReplayTo, idsFrom } from './deliveries.ts'
import { markProcessed } from './events.ts'
import { type MergeRequestChange, saveMergeRequest } from './merge-requests.ts'

export function decisionsTable({ schema, query }: Database) {
  const table = `${schema}.decisions`
  const byRule = `JOIN ${schema}.rule_matches AS matches ON (what, matches.at, matches.id) = ('decision', decisions.at, decisions.id)`
  return {
    /** Stores a decision and what it changes of its merge request, in one transaction. */
    async save(decision: DecisionRecord, change: Omit<MergeRequestChange, 'changesAt'> = {}): Promise<void> {
      const { mergeRequest } = decision
      await query(
        ...together([
          saveMergeRequest(schema, mergeRequest, { ...change, changesAt: decision.changesAt ?? null }),
          saveDecision(table, decision, await compressed(decision)),
          ...indexRules(schema, decision),
          ...markProcessed(schema, mergeRequest, change.processed ?? []),
          // Last: all decisions of a project share a row of counts.
          countDecision(schema, decision),
        ]),
      )
    },
    async find(id: string): Promise<DecisionRecord | undefined> {
      const text = `SELECT record AS value FROM ${table} WHERE id = $1`
      const record = await valueIn<Uint8Array>(query, text, [keyText(id)])
      return record && decompressed(record)
    },
    /** Newest first. */
    async list(filter: DecisionFilter & PageRequest): Promise<JournalPage<DecisionRecord>> {
      const { limit, after: cursor, since, until, mergeRequest, project, delivery, rule, outcome, evaluation } = filter
      const values: unknown[] = [limit + 1]
      const filters = where(values, [
        after('decisions.at, decisions.id', cursor),
        ['decisions.at >= ?', since],
        ['decisions.at < ?', until],
        ['project = ?', project],
        ['project = ?', mergeRequest?.project],
        ['iid = ?', mergeRequest?.iid],
        ['deliveries @> ARRAY[?::text]', delivery && keyText(delivery)],
        ['rule = ?', rule && keyText(rule)],
        ['outcome = ?', outcome],
        ['evaluation = ?', evaluation && keyText(evaluation)],
      ])
      const rows = await query<{ at: Date; id: string; record: Uint8Array }>(
        `SELECT decisions.at, decisions.id, record FROM ${table} AS decisions ${rule === undefined ? '' : byRule}
         WHERE ${filters} ORDER BY decisions.at DESC, decisions.id DESC LIMIT $1`,
        values,
      )
      return pageOf(rows, limit, ({ record }) => decompressed<DecisionRecord>(record))
    },
    addReplay: addReplayTo(query, table, 'at'),
    /** Oldest first. */
    replays: async (id: string): Promise<Replay[]> =>
      (await valueIn(query, `SELECT replays AS value FROM ${table} WHERE id = $1`, [keyText(id)])) ?? [],
    /** The ids of decisions or evaluations that begin with `prefix`, at most `limit`. */
    idsFrom: (of: 'decision' | 'evaluation', prefix: string, limit: number): Promise<string[]> =>
      idsFrom(query, table, { column: of === 'decision' ? 'id' : 'evaluation', prefix, limit }),
  }
}

function saveDecision(table: string, decision: DecisionRecord, bytes: Uint8Array): Statement {
  const { id, at, mergeRequest, evaluation, waitedMs } = decision
  return {
    text: `INSERT INTO ${table} (id, at, project, iid, evaluation, outcome, waited_ms, deliveries, record)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      keyText(id),
      at,
      mergeRequest.project,
      mergeRequest.iid,
      evaluation === undefined ? null : keyText(evaluation),
      outcomeOf(decision),
      waitedMs ?? null,
      deliveriesOf(decision),
      bytes,
    ],
  }
}

function deliveriesOf({ deliveries, replayOf = [] }: DecisionRecord): string[] {
  const replayed = replayOf.flatMap(({ of, id }) => (of === 'delivery' ? [id] : []))
  return [...new Set([...deliveries, ...replayed])].map(keyText)
}

/** Lists a decision by its matched rules, and its deliveries by these and by its failure. */
function indexRules(schema: string, decision: DecisionRecord): Statement[] {
  const { project, iid } = decision.mergeRequest
  const rules = matchedRules(decision).map(keyText)
  const failed = outcomeOf(decision) === 'failed' ? ['', ...rules] : []
  if (rules.length + failed.length === 0) return []
  const text = `WITH settled AS (
       SELECT received_at, delivery FROM ${schema}.events WHERE project = $1 AND iid = $2 AND delivery = ANY($3))
     INSERT INTO ${schema}.rule_matches (what, rule, at, id)
     SELECT 'decision', rule, $6::timestamptz, $7 FROM unnest($4::text[]) AS given (rule)
     UNION ALL SELECT 'delivery', rule, received_at, delivery FROM settled, unnest($4::text[]) AS given (rule)
     UNION ALL SELECT 'failed delivery', rule, received_at, delivery FROM settled, unnest($5::text[]) AS given (rule)
     ON CONFLICT DO NOTHING`
  return [{ text, values: [project, iid, deliveriesOf(decision), rules, failed, decision.at, keyText(decision.id)] }]
}
