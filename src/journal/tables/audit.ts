// The audit log: requests to the admin API, and what people did past the rules.

import type { MergeRequestRef } from '../../rules/types.ts'
import { after, type Database, keyText, pageOf, where } from '../database/database.ts'
import type { AuditEntry, JournalPage, PageRequest } from '../types.ts'

/** The operation of entries that tell of merges past the rules. Nobody requested them. */
export const pastRulesOperation = 'merge_past_rules'

/** One entry for a merge request. */
export const pastRulesId = ({ project, iid }: MergeRequestRef) => `${pastRulesOperation} ${project} ${iid}`

export function auditTable({ schema, query }: Database) {
  const table = `${schema}.audit`
  return {
    /** Replaces the entry with its id. */
    async save(entry: AuditEntry): Promise<void> {
      await query(
        `INSERT INTO ${table} (id, at, entry) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET entry = EXCLUDED.entry`,
        [keyText(entry.id), entry.at, JSON.stringify(entry)],
      )
    },
    /** The merges past the rules from `since` on (ISO 8601), of one project or all; newest first. */
    async pastRules({ project, since, limit }: { project?: number | undefined; since: string; limit: number }) {
      const first = `${pastRulesOperation} ${project === undefined ? '' : `${project} `}`
      const rows = await query<{ entry: AuditEntry }>(
        `SELECT entry FROM ${table} WHERE id >= $1 AND id < $2 AND at >= $3 ORDER BY at DESC, id DESC LIMIT $4`,
        [first, `${first}:`, since, limit],
      )
      return rows.map(({ entry }) => entry)
    },
    /** Newest first. */
    async list({ limit, after: cursor }: PageRequest): Promise<JournalPage<AuditEntry>> {
      const values: unknown[] = [limit + 1]
      const rows = await query<{ at: Date; id: string; entry: AuditEntry }>(
        `SELECT at, id, entry FROM ${table} WHERE ${where(values, [after('at, id', cursor)])}
         ORDER BY at DESC, id DESC LIMIT $1`,
        values,
      )
      return pageOf(rows, limit, ({ entry }) => entry)
    },
  }
}
