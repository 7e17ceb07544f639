// The journal's store in PostgreSQL tables; each method is one statement, and so one transaction.
import type { SqlPool } from '../../queue/types.ts'
import { type JournalStore, MOST_IN_TALLY } from './store.ts'

const READ =
  'SELECT key, value FROM bellhop.record WHERE key = ANY($1::text[]) AND (expires_ms IS NULL OR expires_ms > $2::bigint)'

// 0 stands for "never": arrays of numbers hold no null here. Counts are ordered to avoid deadlocks.
const WRITE = `
WITH guarded AS (
  INSERT INTO bellhop.record AS present (key, value) SELECT $15, $16 WHERE $15::text IS NOT NULL
  ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires_ms = NULL
  WHERE position($17::text IN present.value) = 0 OR present.expires_ms <= $18::bigint
  RETURNING 1
), free AS (
  SELECT WHERE $15::text IS NULL OR EXISTS (SELECT FROM guarded)
), put AS (
  INSERT INTO bellhop.record (key, value, expires_ms)
  SELECT key, value, NULLIF(expires_ms, 0) FROM free, unnest($1::text[], $2::text[], $3::bigint[]) AS given (key, value, expires_ms)
  ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires_ms = EXCLUDED.expires_ms
), removed AS (
  DELETE FROM bellhop.record USING free WHERE key = ANY($4::text[])
), indexed AS (
  INSERT INTO bellhop.member (name, member) SELECT given.* FROM free, unnest($5::text[], $6::text[]) AS given ON CONFLICT DO NOTHING
), counted AS (
  INSERT INTO bellhop.tally AS present (name, field, number, raises, expires_ms)
  SELECT name, field, number, raises, expires_ms
  FROM free, unnest($9::text[], $10::text[], $11::bigint[], $12::boolean[], $13::bigint[]) AS given (name, field, number, raises, expires_ms)
  LEFT JOIN (SELECT name, count(*) AS fields FROM bellhop.tally WHERE name = ANY($9::text[]) GROUP BY name) AS size USING (name)
  WHERE coalesce(fields, 0) < $14::int
    OR EXISTS (SELECT FROM bellhop.tally AS known WHERE known.name = given.name AND known.field = given.field)
  ORDER BY name, field
  ON CONFLICT (name, field) DO UPDATE
  SET number = CASE WHEN present.raises THEN GREATEST(present.number, EXCLUDED.number) ELSE present.number + EXCLUDED.number END
)
DELETE FROM bellhop.member AS present USING free, unnest($7::text[], $8::text[]) AS given (name, member)
WHERE present.name = given.name AND present.member = given.member`

// list_end is locked until the commit: no number becomes visible before a smaller one. An expired claim is taken over.
const APPEND = `
WITH lost AS (
  SELECT value FROM bellhop.record WHERE key = $10 AND expires_ms > $3::bigint
), claimed AS (
  INSERT INTO bellhop.record AS present (key, value, expires_ms)
  SELECT $7, $8, $9::bigint WHERE $7::text IS NOT NULL AND NOT EXISTS (SELECT FROM lost)
  ON CONFLICT (key) DO UPDATE
  SET value = CASE WHEN present.expires_ms <= $3::bigint THEN EXCLUDED.value ELSE present.value END,
    expires_ms = CASE WHEN present.expires_ms <= $3::bigint THEN EXCLUDED.expires_ms ELSE present.expires_ms END
  RETURNING value
), other AS (
  SELECT value FROM lost UNION ALL SELECT value FROM claimed WHERE value <> $8
), noted AS (
  INSERT INTO bellhop.record (key, value, expires_ms) SELECT $10, value, $2::bigint FROM claimed WHERE value <> $8
  ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires_ms = EXCLUDED.expires_ms
), mark AS (
  INSERT INTO bellhop.record AS present (key, value, expires_ms) SELECT $1, '1', $2::bigint WHERE NOT EXISTS (SELECT FROM other)
  ON CONFLICT (key) DO UPDATE SET expires_ms = EXCLUDED.expires_ms WHERE present.expires_ms <= $3::bigint
  RETURNING 1
), next AS (
  INSERT INTO bellhop.list_end AS present (name, seq, expires_ms) SELECT $4, 1, $6::bigint FROM mark
  ON CONFLICT (name) DO UPDATE SET seq = present.seq + 1, expires_ms = EXCLUDED.expires_ms
  RETURNING seq
), entry AS (
  INSERT INTO bellhop.list_entry (name, seq, value) SELECT $4, seq, $5 FROM next RETURNING seq
)
SELECT (SELECT seq FROM entry) AS seq, (SELECT value FROM other) AS claimed_by`

// A concurrent append makes list_end longer: then the list does not expire.
const TRIM = `
WITH trimmed AS (DELETE FROM bellhop.list_entry WHERE name = $1 AND seq <= $2)
UPDATE bellhop.list_end SET expires_ms = $3::bigint WHERE name = $1 AND seq <= $2 AND $3::bigint IS NOT NULL`

const SWAP_NONE = `
INSERT INTO bellhop.record AS present (key, value, expires_ms) VALUES ($1, $2, $3::bigint)
ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires_ms = EXCLUDED.expires_ms WHERE present.expires_ms <= $4::bigint`

const SWAP = `
UPDATE bellhop.record SET value = $2, expires_ms = $3::bigint
WHERE key = $1 AND value = $5 AND (expires_ms IS NULL OR expires_ms > $4::bigint)`

const TALLIES = 'SELECT name, field, number FROM bellhop.tally WHERE name = ANY($1::text[]) AND expires_ms > $2::bigint'

const EXTEND = `
WITH records AS (UPDATE bellhop.record SET expires_ms = $3 WHERE key = ANY($1::text[]) AND expires_ms > $4::bigint AND expires_ms < $3::bigint)
UPDATE bellhop.list_end SET expires_ms = $3 WHERE name = ANY($2::text[]) AND expires_ms > $4::bigint AND expires_ms < $3::bigint`

const DROP_EXPIRED = `
WITH records AS (DELETE FROM bellhop.record WHERE expires_ms <= $1),
tallies AS (DELETE FROM bellhop.tally WHERE expires_ms <= $1),
ended AS (DELETE FROM bellhop.list_end WHERE expires_ms <= $1 RETURNING name)
DELETE FROM bellhop.list_entry USING ended WHERE list_entry.name = ended.name`

/** Over tables that postgres-migrations.ts has made. */
export function postgresStore(pool: SqlPool): JournalStore {
  return {
    async read(keys) {
      if (keys.length === 0) return []
      const { rows } = await pool.query<{ key: string; value: string }>(READ, [keys, Date.now()])
      const found = new Map(rows.map((row) => [row.key, row.value]))
      return keys.map((key) => found.get(key))
    },
    async write({ guarded, put = [], remove = [], index = [], unindex = [], count = [] }) {
      await pool.query(WRITE, [
        put.map(({ key }) => key),
        put.map(({ value }) => value),
        put.map(({ keepMs }) => (keepMs === undefined ? 0 : Date.now() + keepMs)),
        remove,
        index.map(({ name }) => name),
        index.map(({ member }) => member),
        unindex.map(({ name }) => name),
        unindex.map(({ member }) => member),
        count.map(({ tally }) => tally),
        count.map(({ field }) => field),
        count.map(({ number }) => number),
        count.map(({ how }) => how === 'raise'),
        count.map(({ keepMs }) => Date.now() + keepMs),
        MOST_IN_TALLY,
        ...(guarded === undefined ? [null, null, null] : [guarded.key, guarded.value, guarded.unless]),
        Date.now(),
      ])
    },
    async tallies(names) {
      if (names.length === 0) return []
      const { rows } = await pool.query<{ name: string; field: string; number: number | string }>(TALLIES, [
        names,
        Date.now(),
      ])
      const found = new Map(names.map((name): [string, Record<string, number>] => [name, {}]))
      for (const { name, field, number } of rows) Object.assign(found.get(name) ?? {}, { [field]: Number(number) })
      return names.map((name) => found.get(name) ?? {})
    },
    members: (name, { before, limit }) =>
      before === undefined
        ? members(pool, 'SELECT member FROM bellhop.member WHERE name = $1 ORDER BY member DESC LIMIT $2', [
            name,
            limit,
          ])
        : members(
            pool,
            'SELECT member FROM bellhop.member WHERE name = $1 AND member < $3 ORDER BY member DESC LIMIT $2',
            [name, limit, before],
          ),
    behind: async (name, after) =>
      (
        await members(
          pool,
          'SELECT member FROM bellhop.member WHERE name = $1 ORDER BY member DESC OFFSET $2 LIMIT 1',
          [name, after],
        )
      )[0],
    oldest: (name, { before, limit }) =>
      members(pool, 'SELECT member FROM bellhop.member WHERE name = $1 AND member < $3 ORDER BY member LIMIT $2', [
        name,
        limit,
        before,
      ]),
    async append(list, { value, idempotencyKey, keepIdempotencyKeyMs, keepMs, claim }) {
      const now = Date.now()
      const expires = keepMs === undefined ? null : now + keepMs
      const claimed =
        claim === undefined ? [null, null, null, null] : [claim.key, claim.by, now + claim.keepMs, claim.lostKey]
      const { rows } = await pool.query<{ seq: number | string | null; claimed_by: string | null }>(APPEND, [
        ...[idempotencyKey, now + keepIdempotencyKeyMs, now, list, value, expires],
        ...claimed,
      ])
      const { seq = null, claimed_by: by = null } = rows[0] ?? {}
      return { ...(seq === null ? {} : { seq: Number(seq) }), ...(by === null ? {} : { claimedBy: by }) }
    },
    async entries(list) {
      const { rows } = await pool.query<{ seq: number | string; value: string }>(
        'SELECT entry.seq, value FROM bellhop.list_entry AS entry JOIN bellhop.list_end AS list USING (name) WHERE name = $1 AND (list.expires_ms IS NULL OR list.expires_ms > $2::bigint) ORDER BY entry.seq',
        [list, Date.now()],
      )
      return rows.map((row) => ({ seq: Number(row.seq), value: row.value }))
    },
    trim: async (list, seq, keepEmptyMs) =>
      void (await pool.query(TRIM, [list, seq, keepEmptyMs === undefined ? null : Date.now() + keepEmptyMs])),
    async swap(key, { from, to, keepMs }) {
      const now = Date.now()
      const values = [key, to, keepMs === undefined ? null : now + keepMs, now]
      const { rowCount } =
        from === undefined ? await pool.query(SWAP_NONE, values) : await pool.query(SWAP, [...values, from])
      return rowCount === 1
    },
    async extend({ records = [], lists = [] }, keepMs) {
      const now = Date.now()
      await pool.query(EXTEND, [records, lists, now + keepMs, now])
    },
    dropExpired: async (now) => void (await pool.query(DROP_EXPIRED, [now.getTime()])),
  }
}

async function members(pool: SqlPool, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await pool.query<{ member: string }>(text, values)
  return rows.map((row) => row.member)
}
