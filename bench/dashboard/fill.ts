// Fills a journal with deliveries and the decisions that they led to, many rows at a time, as its own methods would.
import { compressed, type Database, databaseOf } from '../../src/journal/database/database.ts'
import { addDays } from '../../src/journal/database/make-tables.ts'
import { DAY_MS } from '../../src/journal/days.ts'
import type { NewDelivery } from '../../src/journal/tables/deliveries.ts'
import type { DecisionRecord } from '../../src/journal/types.ts'
import type { StoreConnection } from '../../src/queue/types.ts'
import { matchedRules, outcomeOf } from '../../src/rules/explain/decision-outcome.ts'
import type { Call, RuleTrace } from '../../src/rules/types.ts'

const rowsAtOnce = 1_000
const rules = 12

export interface Filling {
  count: number
  projects: number
  /** Milliseconds since 1970 of the first delivery. */
  started: number
  /** From one to the next. */
  everyMs: number
}

/** One in so many is of the rare kind, state, rule and outcome. */
const rareEach = 10_000

/** Each delivery has a decision. */
export async function fill(
  connection: StoreConnection,
  filling: Filling,
  say: (sentence: string) => void,
): Promise<void> {
  if (connection.kind !== 'postgres') throw new Error('a journal in tables is filled')
  const database = databaseOf(connection.pool, connection.tables)
  const { count, started, everyMs } = filling
  if (database.partitioned)
    for (let at = started; at < started + count * everyMs; at += DAY_MS) await addDays(database, new Date(at))
  for (let from = 0; from < count; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, count - from) }, (_, n) => {
      const delivery = deliveryOf(from + n, filling)
      return { delivery, decision: decisionOf(from + n, delivery) }
    })
    await insertHistory(database, rows)
    if (from % 50_000 === 0) say(`${from} deliveries`)
  }
  await database.query('ANALYZE')
  await insertRest(database)
  await database.query('ANALYZE')
}

async function insertHistory(
  { schema, query }: Database,
  rows: { delivery: NewDelivery; decision: DecisionRecord }[],
): Promise<void> {
  /** `columns`: with their types, of the rows as JSON. */
  const insert = (into: string, columns: string, selected: string, all: object[]) =>
    query(`INSERT INTO ${schema}.${into} SELECT ${selected} FROM json_to_recordset($1) AS given (${columns})`, [
      JSON.stringify(all),
    ])
  await insert(
    'deliveries (id, received_at, state, kind, record)',
    'id text, at timestamptz, state text, kind text, record json',
    'id, at, state, kind, record',
    rows.map(({ delivery }) => {
      const { id, receivedAt: at, state, event } = delivery
      return { id, at, state, kind: event?.kind, record: delivery }
    }),
  )
  await insert(
    'events (project, iid, delivery, received_at, event, processed_at)',
    'project bigint, iid bigint, delivery text, at timestamptz, event json',
    'project, iid, delivery, at, event, at',
    rows.map(({ delivery: { id, receivedAt: at, state, event }, decision }) => ({
      ...decision.mergeRequest,
      ...{ delivery: id, at, event: state === 'read' ? { deliveryId: id, event } : undefined },
    })),
  )
  await insert(
    'decisions (id, at, project, iid, evaluation, outcome, deliveries, record)',
    'id text, at timestamptz, project bigint, iid bigint, evaluation text, outcome text, deliveries text[], record text',
    "id, at, project, iid, evaluation, outcome, deliveries, decode(record, 'base64')",
    await Promise.all(
      rows.map(async ({ decision }) => {
        const { id, at, mergeRequest, evaluation, deliveries } = decision
        const record = (await compressed(decision)).toString('base64')
        return {
          ...{ ...mergeRequest, id, at, evaluation, deliveries, record },
          outcome: outcomeOf(decision),
        }
      }),
    ),
  )
  await insert(
    'rule_matches (what, rule, at, id)',
    'what text, rule text, at timestamptz, id text',
    'what, rule, at, id',
    rows.flatMap(({ delivery: { id, receivedAt }, decision }) => {
      const matched = matchedRules(decision)
      const failed = outcomeOf(decision) === 'failed' ? ['', ...matched] : []
      return [
        ...matched.map((rule) => ({ what: 'decision', rule, at: decision.at, id: decision.id })),
        ...matched.map((rule) => ({ what: 'delivery', rule, at: receivedAt, id })),
        ...failed.map((rule) => ({ what: 'failed delivery', rule, at: receivedAt, id })),
      ]
    }),
  )
}

/** What follows from the decisions: merge requests, known projects and counts. */
async function insertRest({ schema, query }: Database): Promise<void> {
  const decisions = `${schema}.decisions`
  await query(`INSERT INTO ${schema}.merge_requests (project, iid) SELECT DISTINCT project, iid FROM ${decisions}`)
  await query(`INSERT INTO ${schema}.projects (project, known_at) SELECT project, max(at) FROM ${decisions} GROUP BY 1`)
  await query(
    `INSERT INTO ${schema}.counts (project, rule, at, deliveries, unread, decisions, done, failed, last)
     SELECT project, '', date_bin('5 minutes', at, 'epoch'), count(*) FILTER (WHERE outcome <> 'failed'),
       count(*) FILTER (WHERE outcome = 'failed'), count(*), count(*) FILTER (WHERE outcome = 'acted'),
       count(*) FILTER (WHERE outcome = 'failed'), max(at)
     FROM ${decisions} GROUP BY 1, 3`,
  )
  await query(
    `INSERT INTO ${schema}.counts (project, rule, at, acted, matched, last)
     SELECT project, '.bellhop.yml#' || rule, date_bin('1 hour', rules.at, 'epoch'),
       count(*) FILTER (WHERE rule = 'rule 1' AND outcome = 'acted'),
       count(*) FILTER (WHERE rule <> 'rule 1' OR outcome <> 'acted'), max(rules.at)
     FROM ${decisions} JOIN ${schema}.rule_matches AS rules ON (what, rules.at, rules.id) = ('decision', ${decisions}.at, ${decisions}.id)
     GROUP BY 1, 2, 3`,
  )
}

export function deliveryOf(n: number, { projects, started, everyMs }: Filling): NewDelivery {
  const isRare = n % rareEach === rareEach / 2
  const [project, iid] = [1 + (n % projects), 1 + (n % 5_000)]
  const receivedAt = new Date(started + n * everyMs).toISOString()
  const kind = isRare ? 'merge_request.approval' : n % 3 === 0 ? 'pipeline.success' : 'merge_request.update'
  return {
    ...{ id: `bench-${n}`, receivedAt, header: 'Merge Request Hook', bytes: 4_000 },
    state: isRare ? 'refused' : 'read',
    event: { kind, project, iid, actor: { id: 7, username: 'alice' }, at: receivedAt },
    mergeRequests: [{ project, iid }],
  }
}

export function decisionOf(n: number, { id, receivedAt, mergeRequests: [mergeRequest] }: NewDelivery): DecisionRecord {
  if (mergeRequest === undefined) throw new Error('each is about one')
  const isRare = n % rareEach === rareEach / 2
  const call: Call = {
    to: 'service',
    endpoint: 'mergeRequests.update',
    params: { add_labels: 'seen' },
    action: 'label',
    rules: ['.bellhop.yml#rule 1'],
  }
  const result = isRare ? 'refused' : 'done'
  return {
    ...{
      id: `decision-${n}`,
      mergeRequest,
      at: receivedAt,
      evaluation: `evaluation-${n}`,
      deliveries: [id],
      tookMs: 40,
    },
    rules: Array.from({ length: rules }, (_, at) => traceOf(at === 0 && isRare ? 'rare rule' : `rule ${at}`, at < 2)),
    calls: n % 4 === 0 || isRare ? [call] : [],
    responses: n % 4 === 0 || isRare ? [{ call, status: isRare ? 403 : 200, result, at: receivedAt, tookMs: 12 }] : [],
    ...{ head: 'a'.repeat(40), files: [{ path: '.bellhop.yml', blob: 'b'.repeat(40) }] },
  }
}

function traceOf(name: string, holds: boolean): RuleTrace {
  const verdict = holds ? 'true' : 'false'
  const leaf = { verdict, expected: 'any of "dependencies", none of "hold"', actual: '"bug", "backend"' } as const
  return {
    ...{
      key: `.bellhop.yml#${name}`,
      name,
      file: '.bellhop.yml',
      line: 4,
      verdict,
      became: false,
      fingerprint: 'f'.repeat(16),
      actions: [],
    },
    conditions: {
      ...leaf,
      condition: 'all',
      children: ['labels', 'author', 'pipeline'].map((condition) => ({ ...leaf, condition })),
    },
  }
}
