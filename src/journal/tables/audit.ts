// The audit log: requests to the admin API, and what people did past the rules.
import { after, type Database, keyText, pageOf, where } from '../database/database.ts'
import type { AuditEntry, JournalPage, PageRequest } from '../types.ts'

/** The operation of entries that tell of merges past the rules. Nobody requested them. */
export const pastRulesOperation = 'merge_past_rules'

/** The id of a merge request's entry, by its project and iid. With an empty text last: what such ids begin with. */
export const pastRulesId = (...of: (number | '')[]): string => [pastRulesOperation, ...of].join(' ')

/** `ids`: what the ids begin with; `since`: ISO 8601. */
type AuditPage = PageRequest & { ids?: string; since?: string }

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
    async list({ limit, after: cursor, ids, since }: AuditPage): Promise<JournalPage<AuditEntry>> {
      const values: unknown[] = [limit + 1]
      const filters = [
        after('at, id', cursor),
        ['id >= ? AND id < ?', ids, ids && `${ids}:`],
        ['at >= ?', since],
      ] as const
      const rows = await query<{ at: Date; id: string; entry: AuditEntry }>(
        `SELECT at, id, entry FROM ${table} WHERE ${where(values, filters)}
         ORDER BY at DESC, id DESC LIMIT $1`,
        values,
      )
      return pageOf(rows, limit, ({ entry }) => entry)
    },
  }
}
