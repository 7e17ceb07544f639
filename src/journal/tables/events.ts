// Events of merge requests: each once for each delivery, pending until an evaluation has processed them.
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Database, Query } from '../database/database.ts'
import { keyText } from '../database/key-text.ts'
import type { PendingEvent } from '../record-types.ts'

export type NewEvent = Omit<PendingEvent, 'seq'>

/** The delivery that counts for an event: another one where it brought the same event; and whether that event is pending. */
export interface CountedEvent {
  delivery: string
  isPending: boolean
}

export interface EventsTable {
  /**
   * Makes an event pending, once per delivery, also after it was processed. Adds nothing where another delivery brought
   * the same content within ten minutes.
   */
  add(mergeRequest: MergeRequestRef, event: NewEvent): Promise<CountedEvent>
  /** Oldest first. */
  pending(mergeRequest: MergeRequestRef): Promise<PendingEvent[]>
  /** Merge requests with a pending event, at most `limit` of them after one, in the order of project and iid. */
  waiting(after: MergeRequestRef | undefined, limit: number): Promise<MergeRequestRef[]>
}

/** Equal content of deliveries that were received within this time is the same event. */
const SAME_EVENT = "interval '10 minutes'"

export const PENDING = 'processed_at IS NULL AND event IS NOT NULL'

export function eventsTable(database: Database): EventsTable {
  const { schema, query, transaction } = database
  const table = `${schema}.events`
  return {
    add: (mergeRequest, event) =>
      transaction(async (run) => {
        await lockMergeRequest(run, schema, mergeRequest)
        return addEvent(run, schema, mergeRequest, { event, receivedAt: event.event.at })
      }),
    async pending({ project, iid }) {
      const found = await query<EventRow>(
        `SELECT seq, event FROM ${table} WHERE project = $1 AND iid = $2 AND ${PENDING} ORDER BY seq`,
        [project, iid],
      )
      return found.map(pendingEvent)
    },
    async waiting(after, limit) {
      const found = await query<{ project: string; iid: string }>(
        `SELECT DISTINCT project, iid FROM ${table} WHERE ${PENDING} AND (project, iid) > ($1, $2)
         ORDER BY project, iid LIMIT $3`,
        [after?.project ?? -1, after?.iid ?? 0, limit],
      )
      return found.map(({ project, iid }) => ({ project: Number(project), iid: Number(iid) }))
    },
  }
}

export interface EventRow {
  seq: string | number
  event: NewEvent
}

export const pendingEvent = ({ seq, event }: EventRow): PendingEvent => ({ seq: Number(seq), ...event })

/** They are pending no longer. */
export async function processEvents(
  run: Query,
  schema: string,
  { project, iid }: MergeRequestRef,
  events: readonly PendingEvent[],
): Promise<void> {
  if (events.length === 0) return
  await run(`UPDATE ${schema}.events SET processed_at = now() WHERE project = $1 AND iid = $2 AND seq = ANY($3)`, [
    ...[project, iid],
    events.map(({ seq }) => seq),
  ])
}

/** Others wait until the end of the transaction: events become visible in their order, and equal ones see each other. */
export async function lockMergeRequest(run: Query, schema: string, { project, iid }: MergeRequestRef): Promise<void> {
  await run(
    `INSERT INTO ${schema}.merge_requests (project, iid) VALUES ($1, $2)
     ON CONFLICT (project, iid) DO UPDATE SET changed_at = now()`,
    [project, iid],
  )
}

/** Adds an event of a locked merge request. `receivedAt`: of the delivery, ISO 8601. */
export async function addEvent(
  run: Query,
  schema: string,
  { project, iid }: MergeRequestRef,
  { event, receivedAt }: { event: NewEvent; receivedAt: string },
): Promise<CountedEvent> {
  const table = `${schema}.events`
  const { deliveryId, content = null } = event
  const key = [project, iid, keyText(deliveryId)]
  await run(
    `INSERT INTO ${table} AS present (project, iid, delivery, received_at, event, content, counted_by)
     SELECT $1, $2, $3, $4, CASE WHEN same.delivery IS NULL THEN $5::json END, $6, same.delivery
     FROM (VALUES (1)) AS one LEFT JOIN (
       SELECT delivery FROM ${table}
       WHERE project = $1 AND iid = $2 AND delivery <> $3 AND content = $6 AND event IS NOT NULL
         AND received_at BETWEEN $4::timestamptz - ${SAME_EVENT} AND $4::timestamptz + ${SAME_EVENT}
       ORDER BY seq LIMIT 1) AS same ON true
     ON CONFLICT (project, iid, delivery) DO UPDATE
     SET event = EXCLUDED.event, content = EXCLUDED.content, counted_by = EXCLUDED.counted_by
     WHERE present.event IS NULL AND present.counted_by IS NULL`,
    [...key, receivedAt, JSON.stringify(event), content],
  )
  const [found] = await run<{ delivery: string | null; pending: boolean }>(
    `SELECT own.counted_by AS delivery,
       coalesce(counted.event IS NOT NULL AND counted.processed_at IS NULL, false) AS pending
     FROM ${table} AS own LEFT JOIN ${table} AS counted
       ON (counted.project, counted.iid, counted.delivery) = ($1, $2, coalesce(own.counted_by, own.delivery))
     WHERE (own.project, own.iid, own.delivery) = ($1, $2, $3)`,
    key,
  )
  return { delivery: found?.delivery ?? deliveryId, isPending: found?.pending === true }
}
