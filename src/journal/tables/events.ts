// Events of merge requests: each once for each delivery, pending until an evaluation has processed them.
import type { MergeRequestOrigin, MergeRequestRef } from '../../rules/types.ts'
import { type Database, keyText, type Statement, together } from '../database/database.ts'
import type { MergeRequestName, PendingEvent } from '../types.ts'

export type NewEvent = Omit<PendingEvent, 'seq'>

/** The delivery that counts for an event (another one if it brought the same), and whether the event is pending. */
export interface CountedEvent {
  delivery: string
  isPending: boolean
}

export const PENDING = 'processed_at IS NULL AND event IS NOT NULL'

export function eventsTable(database: Database) {
  const { schema, query } = database
  const table = `${schema}.events`
  return {
    /**
     * Makes an event pending, once per delivery, also after it was processed. Adds nothing if another delivery brought
     * the same content within ten minutes.
     */
    async add(mergeRequest: MergeRequestRef, event: NewEvent): Promise<CountedEvent | undefined> {
      const statements = [
        lockMergeRequests(schema, [mergeRequest]),
        addEvents(schema, [mergeRequest], { event, receivedAt: event.event.at }),
      ]
      return countedEvents(await query<CountedRow>(...together(statements)), event)[0]
    },
    /** Oldest first. */
    async pending({ project, iid }: MergeRequestRef): Promise<PendingEvent[]> {
      const found = await query<EventRow>(
        `SELECT seq, event FROM ${table} WHERE project = $1 AND iid = $2 AND ${PENDING} ORDER BY seq`,
        [project, iid],
      )
      return found.map(pendingEvent)
    },
    /** Merge requests with a pending event, at most `limit` of them after one, in the order of project and iid. */
    async waiting(after: MergeRequestRef | undefined, limit: number): Promise<MergeRequestRef[]> {
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

/** Marks events as processed, after the step `saved`. */
export function markProcessed(schema: string, { project, iid }: MergeRequestRef, events: readonly PendingEvent[]) {
  if (events.length === 0) return []
  return [
    {
      text: `UPDATE ${schema}.events SET processed_at = now() FROM saved
        WHERE project = $1 AND iid = $2 AND seq = ANY($3)`,
      values: [project, iid, events.map(({ seq }) => seq)],
    },
  ]
}

/**
 * The step `locked`: others wait until the transaction ends, so that events become visible in order, and equal ones see
 * each other. Stores what a delivery says of one of the merge requests as well.
 */
export function lockMergeRequests(
  schema: string,
  refs: readonly MergeRequestRef[],
  { of, name, origin }: { of?: MergeRequestRef; name?: MergeRequestName; origin?: MergeRequestOrigin } = {},
): Statement {
  const isNamed = (ref: MergeRequestRef) => ref.project === of?.project && ref.iid === of.iid
  return {
    as: 'locked',
    text: `INSERT INTO ${schema}.merge_requests AS present (project, iid, name, source_project, source_branch)
      SELECT project, iid, CASE WHEN named THEN $4::json END, CASE WHEN named THEN $5::bigint END,
        CASE WHEN named THEN $6::text END
      FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS given (project, iid, named) ORDER BY project, iid
      ON CONFLICT (project, iid) DO UPDATE SET changed_at = now(), name = coalesce(EXCLUDED.name, present.name),
        source_project = coalesce(EXCLUDED.source_project, present.source_project),
        source_branch = coalesce(EXCLUDED.source_branch, present.source_branch)
      RETURNING project, iid`,
    values: [
      refs.map(({ project }) => project),
      refs.map(({ iid }) => iid),
      refs.map(isNamed),
      name === undefined ? null : JSON.stringify(name),
      origin?.project ?? null,
      origin === undefined ? null : keyText(origin.branch),
    ],
  }
}

export interface CountedRow {
  counted_by: string | null
  pending: boolean
}

export const countedEvents = (rows: CountedRow[], { deliveryId }: NewEvent): CountedEvent[] =>
  rows.map((row) => ({ delivery: row.counted_by ?? deliveryId, isPending: row.pending }))

/**
 * Adds an event of the merge requests that the step `locked` locks, and reads a CountedRow for each, in their order.
 * `receivedAt` is that of the delivery (ISO 8601).
 */
export const addEvents = (
  schema: string,
  refs: readonly MergeRequestRef[],
  { event, receivedAt }: { event: NewEvent; receivedAt: string },
): Statement => ({
  text: `SELECT added.counted_by, added.pending
    FROM locked JOIN unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS given (project, iid, at) USING (project, iid)
    CROSS JOIN LATERAL ${schema}.add_event(locked.project, locked.iid, $3, $4, $5, $6) AS added
    ORDER BY given.at`,
  values: [
    refs.map(({ project }) => project),
    refs.map(({ iid }) => iid),
    keyText(event.deliveryId),
    receivedAt,
    JSON.stringify(event),
    event.content ?? null,
  ],
})
