// How long the journal stores what, and what deletes it.
import type { Database } from './database/database.ts'
import { dropDaysBefore } from './database/make-tables.ts'
import { DAY_MS } from './days.ts'

/** Pending events and the memory of open merge requests are never deleted. */
export interface RetentionPolicy {
  /** The most deliveries, and the most decisions (`BELLHOP_HISTORY_COUNT`). */
  most: number
  /** How long deliveries and decisions are stored, in milliseconds from their receipt (`BELLHOP_HISTORY_DAYS`). */
  history: number
}

export const DEFAULT_RETENTION: RetentionPolicy = { most: 500_000, history: 30 * DAY_MS }

/** Longer than a failed delivery's job is stored, so that its events count once when it is replayed. */
const REPLAYABLE_MS = 31 * DAY_MS
/** The memory of a merged or closed merge request. */
const OVER_MS = 30 * DAY_MS
/** What time figures are made of, from its last change: thirteen weeks. */
const TIMES_MS = 13 * 7 * DAY_MS
/** Rule files, from their last read; pushes, and then as long as a merge request of their branch changes. */
const UNREAD_MS = 90 * DAY_MS
const AUDIT_MS = 400 * DAY_MS
const AUDIT_MOST = 1_000_000

/** One statement of an embedded database must not hold up the rest of the process. */
const AT_ONCE = { embedded: 500, partitioned: 10_000 }
/** Index entries that one statement passes to count rows. */
const COUNTED_AT_ONCE = 10_000
/** A table’s values are estimated from so many hundreds of rows: enough to tell what is rare. */
const SAMPLE = 3

/** Deletes what is past its retention, or above the limits. Tries each kind, then throws the first error. */
export async function prune(database: Database, { most, history }: RetentionPolicy, now: Date): Promise<void> {
  const { schema, partitioned, query } = database
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const atOnce = partitioned ? AT_ONCE.partitioned : AT_ONCE.embedded

  async function repeat(statement: string, values: unknown[]): Promise<void> {
    for (let rows = atOnce; rows === atOnce; ) rows = (await query(`${statement} RETURNING 1`, values)).length
  }
  const firstRows = (table: string, condition: string) =>
    `ctid = ANY(ARRAY(SELECT ctid FROM ${schema}.${table} WHERE ${condition} LIMIT ${atOnce}))`
  const remove = (table: string, condition: string, ...values: unknown[]) =>
    repeat(`DELETE FROM ${schema}.${table} WHERE ${firstRows(table, condition)}`, values)

  /** The time of the oldest row within the limit, or the end of the retention time if that is later. */
  async function firstKept(table: string, time: string, { ms, limit }: { ms: number; limit: number }): Promise<string> {
    const oldest = before(ms)
    let last: { at: Date; id: string } | undefined
    for (let left = limit; left > 0; left -= COUNTED_AT_ONCE) {
      const values = [oldest, Math.min(left, COUNTED_AT_ONCE) - 1, ...(last === undefined ? [] : [last.at, last.id])]
      const [row] = await query<{ at: Date; id: string }>(
        `SELECT ${time} AS at, id FROM ${schema}.${table}
         WHERE ${time} >= $1 ${last === undefined ? '' : `AND (${time}, id) < ($3, $4)`}
         ORDER BY ${time} DESC, id DESC OFFSET $2 LIMIT 1`,
        values,
      )
      if (row === undefined) return oldest
      last = row
    }
    return last?.at.toISOString() ?? oldest
  }

  async function removeHistory(table: 'deliveries' | 'decisions', time: string): Promise<string> {
    const first = await firstKept(table, time, { ms: history, limit: most })
    if (partitioned) await dropDaysBefore(database, table, first)
    await remove(partitioned ? `${table}_other` : table, `${time} < $1`, first)
    return first
  }

  const ofNoOpen = `NOT EXISTS (
    SELECT FROM ${schema}.merge_requests AS requests
    WHERE source_project = pushes.project AND source_branch = pushes.branch AND changed_at >= $1)`

  await tryEach([
    // First: without it, the others read whole tables. A server analyses its tables by itself.
    async () => {
      for (const table of partitioned ? [] : ['deliveries', 'events', 'decisions', 'rule_matches'])
        await query(`SET default_statistics_target = ${SAMPLE}; ANALYZE ${schema}.${table}`)
    },
    async () => {
      const first = Date.parse(await removeHistory('deliveries', 'received_at'))
      const known = new Date(first).toISOString()
      await remove('rule_matches', "what IN ('delivery', 'failed delivery') AND at < $1", known)
      await query(`UPDATE ${schema}.projects SET known_at = NULL WHERE known_at < $1`, [known])
      const replayable = new Date(Math.min(first, now.getTime() - REPLAYABLE_MS)).toISOString()
      await remove('events', 'received_at < $1 AND (processed_at IS NOT NULL OR event IS NULL)', replayable)
    },
    async () => {
      const first = await removeHistory('decisions', 'at')
      await remove('rule_matches', "what = 'decision' AND at < $1", first)
    },
    () => remove('counts', 'at < $1', before(history + DAY_MS)),
    () =>
      repeat(
        `UPDATE ${schema}.deliveries SET body = NULL, body_until = NULL WHERE (id, received_at) IN (
           SELECT id, received_at FROM ${schema}.deliveries WHERE body_until <= $1 LIMIT ${atOnce})`,
        [now.toISOString()],
      ),
    () =>
      repeat(
        `UPDATE ${schema}.merge_requests SET memory = NULL, keeps = false, over_at = NULL, source_branch = NULL
         WHERE ${firstRows('merge_requests', 'over_at < $1')}`,
        [before(OVER_MS)],
      ),
    () => remove('merge_requests', 'memory IS NULL AND queue_target IS NULL AND changed_at < $1', before(TIMES_MS)),
    () => remove('rule_files', 'read_at < $1', before(UNREAD_MS)),
    () => remove('pushes', `received_at < $1 AND ${ofNoOpen}`, before(UNREAD_MS)),
    () => remove('marks', 'expires_at <= $1', now.toISOString()),
    async () => remove('audit', 'at < $1', await firstKept('audit', 'at', { ms: AUDIT_MS, limit: AUDIT_MOST })),
  ])
}

/** Runs all in turn, and then throws the first error. */
export async function tryEach(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps)
    try {
      await step()
    } catch (thrown) {
      errors.push(thrown)
    }
  if (errors.length > 0) throw errors[0]
}
