// The audit log: requests to the admin API.
import { after, type Database, keyText, pageOf, where } from '../database/database.ts'
import type { AuditEntry, JournalPage, PageRequest } from '../types.ts'

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
