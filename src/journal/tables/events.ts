// Events of merge requests: each once for each delivery, pending until an evaluation has processed them.
import type { MergeRequestOrigin, MergeRequestRef } from '../../rules/types.ts'
import type { Database } from '../database/database.ts'
import { keyText } from '../database/key-text.ts'
import { type Statement, together } from '../database/together.ts'
import type { MergeRequestName, PendingEvent } from '../record-types.ts'

export type NewEvent = Omit<PendingEvent, 'seq'>

/** The delivery that counts for an event (another one if it brought the same event), and whether that event is pending. */
export interface CountedEvent {
  delivery: string
  isPending: boolean
}

/** Equal content of deliveries that were received within this time is the same event. */
const SAME_EVENT = "interval '10 minutes'"

export const PENDING = 'processed_at IS NULL AND event IS NOT NULL'

export function eventsTable(database: Database) {
  const { schema, query, transaction } = database
  const table = `${schema}.events`
  return {
    /**
     * Makes an event pending, once per delivery, also after it was processed. Adds nothing if another delivery brought
     * the same content within ten minutes.
     */
    add: (mergeRequest: MergeRequestRef, event: NewEvent): Promise<CountedEvent> =>
      transaction(async (run) => {
        const { text, values } = lockMergeRequests(schema, [mergeRequest])
        await run(text, values)
        const [counted] = await run<CountedRow>(
          ...together(addEvents(schema, [mergeRequest], { event, receivedAt: event.event.at })),
        )
        return countedEvent(counted, event.deliveryId)
      }),
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
export function processEvents(
  schema: string,
  { project, iid }: MergeRequestRef,
  events: readonly PendingEvent[],
): Statement[] {
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
 * Others wait until the transaction ends, so that events become visible in order, and equal ones see each other. Stores
 * what a delivery says of one of the merge requests as well.
 */
export function lockMergeRequests(
  schema: string,
  refs: readonly MergeRequestRef[],
  { of, name, origin }: { of?: MergeRequestRef; name?: MergeRequestName; origin?: MergeRequestOrigin } = {},
): Statement {
  const isNamed = (ref: MergeRequestRef) => ref.project === of?.project && ref.iid === of.iid
  return {
    text: `INSERT INTO ${schema}.merge_requests AS present (project, iid, name, source_project, source_branch)
      SELECT project, iid, CASE WHEN named THEN $4::json END, CASE WHEN named THEN $5::bigint END,
        CASE WHEN named THEN $6::text END
      FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS given (project, iid, named) ORDER BY project, iid
      ON CONFLICT (project, iid) DO UPDATE SET changed_at = now(), name = coalesce(EXCLUDED.name, present.name),
        source_project = coalesce(EXCLUDED.source_project, present.source_project),
        source_branch = coalesce(EXCLUDED.source_branch, present.source_branch)`,
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
  delivery: string | null
  pending: boolean
}

export const countedEvent = (found: CountedRow | undefined, deliveryId: string): CountedEvent => ({
  delivery: found?.delivery ?? deliveryId,
  isPending: found?.pending === true,
})

/**
 * Adds an event of locked merge requests, and reads a CountedRow for each of them in their order. `receivedAt` is that of
 * the delivery (ISO 8601).
 */
export function addEvents(
  schema: string,
  refs: readonly MergeRequestRef[],
  { event, receivedAt }: { event: NewEvent; receivedAt: string },
): Statement[] {
  const table = `${schema}.events`
  const { deliveryId, content = null } = event
  const key = [refs.map(({ project }) => project), refs.map(({ iid }) => iid), keyText(deliveryId)]
  const added: Statement = {
    as: 'added',
    text: `INSERT INTO ${table} AS present (project, iid, delivery, received_at, event, content, counted_by)
      SELECT given.project, given.iid, $3, $4, CASE WHEN same.delivery IS NULL THEN $5::json END, $6, same.delivery
      FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS given (project, iid, at) LEFT JOIN LATERAL (
        SELECT delivery FROM ${table} AS other
        WHERE other.project = given.project AND other.iid = given.iid AND delivery <> $3 AND content = $6
          AND event IS NOT NULL
          AND received_at BETWEEN $4::timestamptz - ${SAME_EVENT} AND $4::timestamptz + ${SAME_EVENT}
        ORDER BY seq LIMIT 1) AS same ON true
      ORDER BY given.at
      ON CONFLICT (project, iid, delivery) DO UPDATE
      SET event = EXCLUDED.event, content = EXCLUDED.content, counted_by = EXCLUDED.counted_by
      WHERE present.event IS NULL AND present.counted_by IS NULL
      RETURNING project, iid, counted_by, event IS NOT NULL AS pending`,
    values: [...key, receivedAt, JSON.stringify(event), content],
  }
  // Reads the rows from before the statement, and those that it adds.
  const counted: Statement = {
    text: `SELECT coalesce(added.counted_by, own.counted_by) AS delivery,
        coalesce(added.pending, false) OR coalesce(counted.event IS NOT NULL AND counted.processed_at IS NULL, false)
          AS pending
      FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS given (project, iid, at)
      LEFT JOIN added USING (project, iid)
      LEFT JOIN ${table} AS own ON (own.project, own.iid, own.delivery) = (given.project, given.iid, $3)
      LEFT JOIN ${table} AS counted ON (counted.project, counted.iid, counted.delivery)
        = (given.project, given.iid, coalesce(added.counted_by, own.counted_by, $3))
      ORDER BY given.at`,
    values: key,
  }
  return [added, counted]
}
