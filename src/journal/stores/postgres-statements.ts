// The statements of the journal's store in PostgreSQL, but for writes (postgres-write.ts).
import type { MemberTable, RecordTable } from './history.ts'

/** `schema`: of the tables. Each statement is a transaction. */
export function postgresStatements(schema: string) {
  return {
    /** Of several days' values of a key, the last counts. Values: the keys, and now. */
    read: (table: RecordTable) =>
      table === 'record'
        ? `SELECT key, value FROM ${schema}.record WHERE key = ANY($1::text[]) AND (expires_ms IS NULL OR expires_ms > $2::bigint)`
        : `SELECT DISTINCT ON (key) key, value FROM ${schema}.${table}
           WHERE key = ANY($1::text[]) AND (expires_ms IS NULL OR expires_ms > $2::bigint) ORDER BY key, day DESC`,
    /** Values: the name, how many, and the member before which. */
    members: (table: MemberTable, isBounded: boolean) =>
      `SELECT member FROM ${schema}.${table} WHERE name = $1${isBounded ? ' AND member < $3' : ''} ORDER BY member DESC LIMIT $2`,
    behind: (table: MemberTable) =>
      `SELECT member FROM ${schema}.${table} WHERE name = $1 ORDER BY member DESC OFFSET $2 LIMIT 1`,
    oldest: (table: MemberTable) =>
      `SELECT member FROM ${schema}.${table} WHERE name = $1 AND member < $3 ORDER BY member LIMIT $2`,
    tallies: `SELECT name, field, number FROM ${schema}.tally_by_day WHERE name = ANY($1::text[]) AND expires_ms > $2::bigint`,
    entries: `SELECT entry.seq, value FROM ${schema}.list_entry AS entry JOIN ${schema}.list_end AS list USING (name)
      WHERE name = $1 AND (list.expires_ms IS NULL OR list.expires_ms > $2::bigint) ORDER BY entry.seq`,
    // list_end is locked until the commit: no number becomes visible before a smaller one. An expired claim is taken over.
    append: `WITH lost AS (
        SELECT value FROM ${schema}.record WHERE key = $10 AND expires_ms > $3::bigint
      ), claimed AS (
        INSERT INTO ${schema}.record AS present (key, value, expires_ms)
        SELECT $7, $8, $9::bigint WHERE $7::text IS NOT NULL AND NOT EXISTS (SELECT FROM lost)
        ON CONFLICT (key) DO UPDATE
        SET value = CASE WHEN present.expires_ms <= $3::bigint THEN EXCLUDED.value ELSE present.value END,
          expires_ms = CASE WHEN present.expires_ms <= $3::bigint THEN EXCLUDED.expires_ms ELSE present.expires_ms END
        RETURNING value
      ), other AS (
        SELECT value FROM lost UNION ALL SELECT value FROM claimed WHERE value <> $8
      ), noted AS (
        INSERT INTO ${schema}.record (key, value, expires_ms) SELECT $10, value, $2::bigint FROM claimed WHERE value <> $8
        ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires_ms = EXCLUDED.expires_ms
      ), mark AS (
        INSERT INTO ${schema}.record AS present (key, value, expires_ms) SELECT $1, '1', $2::bigint WHERE NOT EXISTS (SELECT FROM other)
        ON CONFLICT (key) DO UPDATE SET expires_ms = EXCLUDED.expires_ms WHERE present.expires_ms <= $3::bigint
        RETURNING 1
      ), next AS (
        INSERT INTO ${schema}.list_end AS present (name, seq, expires_ms) SELECT $4, 1, $6::bigint FROM mark
        ON CONFLICT (name) DO UPDATE SET seq = present.seq + 1, expires_ms = EXCLUDED.expires_ms
        RETURNING seq
      ), entry AS (
        INSERT INTO ${schema}.list_entry (name, seq, value) SELECT $4, seq, $5 FROM next RETURNING seq
      )
      SELECT (SELECT seq FROM entry) AS seq, (SELECT value FROM other) AS claimed_by`,
    // A concurrent append makes list_end longer: then the list does not expire.
    trim: `WITH trimmed AS (DELETE FROM ${schema}.list_entry WHERE name = $1 AND seq <= $2)
      UPDATE ${schema}.list_end SET expires_ms = $3::bigint WHERE name = $1 AND seq <= $2 AND $3::bigint IS NOT NULL`,
    swapNone: `INSERT INTO ${schema}.record AS present (key, value, expires_ms) VALUES ($1, $2, $3::bigint)
      ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires_ms = EXCLUDED.expires_ms WHERE present.expires_ms <= $4::bigint`,
    swap: `UPDATE ${schema}.record SET value = $2, expires_ms = $3::bigint
      WHERE key = $1 AND value = $5 AND (expires_ms IS NULL OR expires_ms > $4::bigint)`,
    extend: `WITH records AS (UPDATE ${schema}.record SET expires_ms = $3 WHERE key = ANY($1::text[]) AND expires_ms > $4::bigint AND expires_ms < $3::bigint)
      UPDATE ${schema}.list_end SET expires_ms = $3 WHERE name = ANY($2::text[]) AND expires_ms > $4::bigint AND expires_ms < $3::bigint`,
    // Each DELETE looks once more, as a record may have been extended meanwhile.
    dropExpired: `WITH records AS (
        DELETE FROM ${schema}.record WHERE expires_ms <= $1
        AND key IN (SELECT key FROM ${schema}.record WHERE expires_ms <= $1 LIMIT $2) RETURNING 1
      ), ended AS (
        DELETE FROM ${schema}.list_end WHERE expires_ms <= $1
        AND name IN (SELECT name FROM ${schema}.list_end WHERE expires_ms <= $1 LIMIT $2) RETURNING name
      ), entries AS (
        DELETE FROM ${schema}.list_entry USING ended WHERE list_entry.name = ended.name
      )
      SELECT ((SELECT count(*) FROM records) + (SELECT count(*) FROM ended))::int AS deleted`,
    dropExpiredDays: `WITH bodies AS (DELETE FROM ${schema}.body WHERE expires_ms <= $1)
      DELETE FROM ${schema}.tally_by_day WHERE expires_ms <= $1`,
  }
}
