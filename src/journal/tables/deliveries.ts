// Deliveries: their records and bodies, and what each means to merge requests.

import { tellsTimes } from '../../rules/explain/time-figures.ts'
import type { MergeRequestOrigin, MergeRequestRef } from '../../rules/types.ts'
import {
  after,
  compressed,
  type Database,
  decompressed,
  keyText,
  type ListFilter,
  pageOf,
  type Query,
  type Statement,
  together,
  valueIn,
  where,
} from '../database/database.ts'
import type { DeliveryFilter, DeliveryRecord, JournalPage, MergeRequestName, PageRequest, Replay } from '../types.ts'
import { countDelivery } from './counts.ts'
import {
  addEvents,
  type CountedEvent,
  type CountedRow,
  countedEvents,
  lockMergeRequests,
  type NewEvent,
} from './events.ts'
import { addToTimes } from './merge-requests.ts'
import { addPush, type BranchRef, type StoredPush } from './pushes.ts'

export type NewDelivery = Omit<DeliveryRecord, 'replays'>

export interface DeliveryParts {
  /** Stored for `keepMs`; without it, a stored one stays. */
  body?: { text: string; keepMs: number }
  /** The name of the merge request that its event is about. */
  name?: MergeRequestName
  origin?: MergeRequestOrigin
  /** The event becomes pending for these. */
  pending?: { of: readonly MergeRequestRef[]; event: NewEvent }
  push?: BranchRef & StoredPush
}

export function deliveriesTable({ schema, query, transaction }: Database) {
  const table = `${schema}.deliveries`
  return {
    /**
     * Stores a delivery, in place of an earlier state of it, and makes its events pending, in one transaction; its
     * times of a merge request follow in another. A delivery that is only `received` does not replace a later state.
     * Returns what counts for each event.
     */
    async save(delivery: NewDelivery, parts: DeliveryParts = {}): Promise<CountedEvent[]> {
      const { id, receivedAt, state, event } = delivery
      const { body, pending, push, ...stated } = parts
      const own = saveDelivery(table, delivery, await storedBody(body))
      if (state === 'received') {
        await query(...together([own]))
        return []
      }
      const about = aboutOf(delivery, stated)
      const refs = pending?.of ?? []
      const locked = [...refs, ...(about === undefined || refs.some((ref) => isSame(ref, about)) ? [] : [about])]
      const statements = [
        own,
        ...otherEvents(schema, delivery, refs),
        ...(refs.length === 0 ? [] : [knowProjects(schema, delivery)]),
        // A refused delivery must change nothing of what it names.
        ...(push === undefined || state === 'refused' ? [] : addPush(schema, push, id)),
        countDelivery(schema, delivery),
        // PostgreSQL runs the last step first: all statements lock merge requests before counts.
        ...(locked.length === 0 ? [] : [lockMergeRequests(schema, locked, about && { of: about, ...stated })]),
        ...(pending === undefined || refs.length === 0 ? [] : [addEvents(schema, refs, { ...pending, receivedAt })]),
      ]
      const rows = await query<CountedRow>(...together(statements))
      // If the process ends before this, the delivery is read again.
      if (about !== undefined && event !== undefined && tellsTimes(event))
        await transaction((run) => addToTimes(run, schema, about, event))
      return pending === undefined || refs.length === 0 ? [] : countedEvents(rows, pending.event)
    },
    /** The newest with this id. */
    async find(id: string): Promise<DeliveryRecord | undefined> {
      const [found] = await query<Row>(
        `SELECT record, replays FROM ${table} WHERE id = $1 ORDER BY received_at DESC LIMIT 1`,
        [keyText(id)],
      )
      return found && recordOf(found)
    },
    /** Newest first. */
    async list(filter: DeliveryFilter & PageRequest): Promise<JournalPage<DeliveryRecord>> {
      const { limit, after: cursor, since, until, project, mergeRequest, state, kind, rule, outcome } = filter
      const values: unknown[] = [limit + 1]
      const events: ListFilter[] = [
        ['events.project = ?', project],
        ['events.project = ?', mergeRequest?.project],
        ['events.iid = ?', mergeRequest?.iid],
      ]
      const matches: ListFilter[] = [
        ['what = ?', outcome === undefined ? rule && 'delivery' : 'failed delivery'],
        ['rule = ?', rule === undefined ? outcome && '' : keyText(rule)],
      ]
      const joined = [
        ['events', 'events.received_at, delivery', events] as const,
        ['rule_matches', 'rule_matches.at, rule_matches.id', matches] as const,
      ].filter(([, , filters]) => filters.some(([, value]) => value !== undefined))
      const joins = joined.map(
        ([name, key]) => `JOIN ${schema}.${name} AS ${name} ON (${key}) = (deliveries.received_at, deliveries.id)`,
      )
      const filters = where(values, [
        after('deliveries.received_at, deliveries.id', cursor),
        ['deliveries.received_at >= ?', since],
        ['deliveries.received_at < ?', until],
        ['state = ?', state],
        ['kind = ?', kind && keyText(kind)],
        ...events,
        ...matches,
      ])
      // A delivery may have events of several merge requests of a project.
      const rows = await query<Row & { at: Date; id: string }>(
        `SELECT ${joined.length === 0 ? '' : 'DISTINCT ON (deliveries.received_at, deliveries.id)'}
           deliveries.received_at AS at, deliveries.id, record, replays
         FROM ${table} AS deliveries ${joins.join(' ')} WHERE ${filters}
         ORDER BY deliveries.received_at DESC, deliveries.id DESC LIMIT $1`,
        values,
      )
      return pageOf(rows, limit, recordOf)
    },
    /** Undefined if it is no longer stored. */
    async body(id: string): Promise<string | undefined> {
      const text = `SELECT body AS value FROM ${table} WHERE id = $1 AND body_until > now()
        ORDER BY received_at DESC LIMIT 1`
      const body = await valueIn<Uint8Array>(query, text, [keyText(id)])
      return body && decompressed(body)
    },
    addReplay: addReplayTo(query, table, 'received_at'),
    /** The ids that begin with `prefix`, at most `limit`. */
    idsFrom: (prefix: string, limit: number): Promise<string[]> =>
      idsFrom(query, table, { column: 'id', prefix, limit }),
  }
}

interface Row {
  record: DeliveryRecord
  replays: Replay[]
}

const recordOf = ({ record, replays }: Row): DeliveryRecord => ({ ...record, replays })

/** Adds a replay to the newest row with an id; returns its number, from 1. */
export const addReplayTo =
  (query: Query, table: string, time: string) =>
  async (id: string, replay: Replay): Promise<number> => {
    // JSON is joined as text: `jsonb` refuses some texts.
    const text = `UPDATE ${table} SET replays = CASE json_array_length(replays) WHEN 0 THEN '[' || $2::text || ']'
        ELSE left(replays::text, -1) || ',' || $2::text || ']' END ::json
      WHERE id = $1 AND ${time} = (SELECT max(${time}) FROM ${table} WHERE id = $1)
      RETURNING json_array_length(replays) AS value`
    return (await valueIn(query, text, [keyText(id), JSON.stringify(replay)])) ?? 1
  }

/** The texts of a column that begin with `prefix`. Ids are ordered by their bytes. */
export async function idsFrom(
  query: Query,
  table: string,
  { column, prefix, limit }: { column: string; prefix: string; limit: number },
): Promise<string[]> {
  const found = await query<{ id: string }>(
    `SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} >= $1 AND ${column} < $1 || U&'\\FFFF' LIMIT $2`,
    [keyText(prefix), limit],
  )
  return found.map(({ id }) => id)
}

const isSame = (one: MergeRequestRef, other: MergeRequestRef) => one.project === other.project && one.iid === other.iid

async function storedBody(body: DeliveryParts['body']): Promise<[bytes: Uint8Array | null, until: string | null]> {
  if (body === undefined) return [null, null]
  return [await compressed(body.text), new Date(Date.now() + body.keepMs).toISOString()]
}

function saveDelivery(table: string, delivery: NewDelivery, body: [bytes: Uint8Array | null, until: string | null]) {
  const { id, receivedAt, state, event } = delivery
  return {
    text: `INSERT INTO ${table} AS present (id, received_at, state, kind, record, body, body_until)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (id, received_at) DO UPDATE
      SET state = EXCLUDED.state, kind = EXCLUDED.kind, record = EXCLUDED.record,
        body = coalesce(EXCLUDED.body, present.body), body_until = coalesce(EXCLUDED.body_until, present.body_until)
      WHERE EXCLUDED.state <> 'received' OR present.state = 'received'`,
    values: [
      keyText(id),
      receivedAt,
      state,
      event === undefined ? null : keyText(event.kind),
      JSON.stringify(delivery),
      ...body,
    ],
  }
}

/** The merge request whose name, origin or times it changes. */
function aboutOf({ state, event }: NewDelivery, { name, origin }: Pick<DeliveryParts, 'name' | 'origin'>) {
  // A refused delivery must change nothing of what it names.
  if (state === 'refused' || event?.iid === undefined || event.project === undefined) return undefined
  const changesIt = name !== undefined || origin !== undefined || tellsTimes(event)
  return changesIt ? { project: event.project, iid: event.iid } : undefined
}

/** Once an hour: the row of a project must not be written for each of its deliveries. */
const knowProjects = (schema: string, { mergeRequests, receivedAt }: NewDelivery): Statement => ({
  text: `INSERT INTO ${schema}.projects AS present (project, known_at)
    SELECT project, $2::timestamptz FROM unnest($1::bigint[]) AS given (project) ORDER BY project
    ON CONFLICT (project) DO UPDATE SET known_at = EXCLUDED.known_at
    WHERE present.known_at IS NULL OR present.known_at < EXCLUDED.known_at - interval '1 hour'`,
  values: [[...new Set(mergeRequests.map(({ project }) => project))], receivedAt],
})

/** What it means to those of its merge requests that need no evaluation, and to its project if that is another one. */
function otherEvents(
  schema: string,
  { id, receivedAt, event, mergeRequests }: NewDelivery,
  pending: readonly MergeRequestRef[],
): Statement[] {
  const isNamed = mergeRequests.some(({ project }) => project === event?.project)
  const others = [
    ...mergeRequests,
    ...(event?.project === undefined || isNamed ? [] : [{ project: event.project, iid: 0 }]),
  ].filter((ref) => !pending.some((each) => isSame(each, ref)))
  if (others.length === 0) return []
  return [
    {
      text: `INSERT INTO ${schema}.events (project, iid, delivery, received_at)
        SELECT project, iid, $3, $4 FROM unnest($1::bigint[], $2::bigint[]) AS given (project, iid)
        ORDER BY project, iid ON CONFLICT DO NOTHING`,
      values: [others.map(({ project }) => project), others.map(({ iid }) => iid), keyText(id), receivedAt],
    },
  ]
}
