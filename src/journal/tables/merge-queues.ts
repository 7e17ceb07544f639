// Merge queues: a record for each target branch, and the entries of merge requests.
import type { MergeQueueRecord } from '../../merge-queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import { type Database, keyText, textOfKey, valueIn } from '../database/database.ts'
import type { MergeQueueEntry, MergeQueueNote, MergeQueueRef } from '../types.ts'
import { change } from './marks.ts'

const MOST_ENTRIES = 5_000

export function mergeQueuesTable({ schema, query }: Database) {
  const [table, requests] = [`${schema}.merge_queues`, `${schema}.merge_requests`]
  const keyOf = ({ project, target }: MergeQueueRef) => [project, keyText(target)]

  const columnOf = <T>(column: string, { project, iid }: MergeRequestRef) =>
    valueIn<T>(query, `SELECT ${column} AS value FROM ${requests} WHERE project = $1 AND iid = $2`, [project, iid])
  const recordOf = <T>(column: string, queue: MergeQueueRef) =>
    valueIn<T>(query, `SELECT ${column} AS value FROM ${table} WHERE project = $1 AND target = $2`, keyOf(queue))

  return {
    /** The clock of the database, which all processes share; in milliseconds since 1970. */
    async time(): Promise<number> {
      const text = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS value'
      return Number(await valueIn<string>(query, text, []))
    },
    /** Every queue that had an entry. */
    async all(): Promise<MergeQueueRef[]> {
      const found = await query<{ project: string; target: string }>(`SELECT project, target FROM ${table}`)
      return found.map(({ project, target }) => ({ project: Number(project), target: textOfKey(target) }))
    },
    find: (queue: MergeQueueRef): Promise<MergeQueueRecord | undefined> => recordOf('record', queue),
    /** Atomic: `to` may run again on a conflict; undefined leaves it as it is. */
    change(
      queue: MergeQueueRef,
      to: (before: MergeQueueRecord | undefined) => MergeQueueRecord | undefined,
    ): Promise<void> {
      const swap = async (from: string | undefined, value: string) => {
        const rows = await query(
          `INSERT INTO ${table} AS present (project, target, record) VALUES ($1, $2, $3)
           ON CONFLICT (project, target) DO UPDATE SET record = EXCLUDED.record
           WHERE present.record::text IS NOT DISTINCT FROM $4 RETURNING 1`,
          [...keyOf(queue), value, from ?? null],
        )
        return rows.length === 1
      }
      return change(() => recordOf('record::text', queue), swap, to)
    },
    entry: (mergeRequest: MergeRequestRef): Promise<MergeQueueEntry | undefined> =>
      columnOf('queue_entry', mergeRequest),
    async saveEntry({ project, iid }: MergeRequestRef, entry: MergeQueueEntry | undefined): Promise<void> {
      const target = entry === undefined ? null : keyText(entry.target)
      await query(
        `WITH queue AS (
           INSERT INTO ${table} (project, target) SELECT $1::bigint, $3::text WHERE $3::text IS NOT NULL ON CONFLICT DO NOTHING)
         INSERT INTO ${requests} (project, iid, queue_target, queue_entry) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project, iid) DO UPDATE
         SET queue_target = EXCLUDED.queue_target, queue_entry = EXCLUDED.queue_entry, changed_at = now()`,
        [project, iid, target, entry === undefined ? null : JSON.stringify(entry)],
      )
    },
    /** In no order; at most 5,000. */
    async entries(queue: MergeQueueRef): Promise<MergeQueueEntry[]> {
      const found = await query<{ entry: MergeQueueEntry }>(
        `SELECT queue_entry AS entry FROM ${requests} WHERE project = $1 AND queue_target = $2 LIMIT ${MOST_ENTRIES}`,
        keyOf(queue),
      )
      return found.map(({ entry }) => entry)
    },
    note: (mergeRequest: MergeRequestRef): Promise<MergeQueueNote | undefined> => columnOf('queue_note', mergeRequest),
    async saveNote({ project, iid }: MergeRequestRef, note: MergeQueueNote): Promise<void> {
      await query(
        `INSERT INTO ${requests} (project, iid, queue_note) VALUES ($1, $2, $3)
         ON CONFLICT (project, iid) DO UPDATE SET queue_note = EXCLUDED.queue_note, changed_at = now()`,
        [project, iid, JSON.stringify(note)],
      )
    },
  }
}
