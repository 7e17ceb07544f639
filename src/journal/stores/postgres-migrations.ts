// The journal's tables as numbered steps; a released step is never changed.

import type { SqlPool } from '../../queue/types.ts'
import { JournalTooNew } from '../errors.ts'

/** Byte order, as in Redis. */
const STEPS: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS bellhop.record (
     key text COLLATE "C" PRIMARY KEY,
     value text NOT NULL,
     expires_ms bigint
   );
   CREATE INDEX IF NOT EXISTS record_expires ON bellhop.record (expires_ms) WHERE expires_ms IS NOT NULL;
   CREATE TABLE IF NOT EXISTS bellhop.member (
     name text COLLATE "C" NOT NULL,
     member text COLLATE "C" NOT NULL,
     PRIMARY KEY (name, member)
   );
   CREATE TABLE IF NOT EXISTS bellhop.list_end (
     name text COLLATE "C" PRIMARY KEY,
     seq bigint NOT NULL
   );
   CREATE TABLE IF NOT EXISTS bellhop.list_entry (
     name text COLLATE "C" NOT NULL,
     seq bigint NOT NULL,
     value text NOT NULL,
     PRIMARY KEY (name, seq)
   );`,
  `ALTER TABLE bellhop.list_end ADD COLUMN IF NOT EXISTS expires_ms bigint;
   CREATE INDEX IF NOT EXISTS list_end_expires ON bellhop.list_end (expires_ms) WHERE expires_ms IS NOT NULL;`,
  // Half of each page stays free, so that updates are in place and write no index.
  `CREATE TABLE IF NOT EXISTS bellhop.tally (
     name text COLLATE "C" NOT NULL,
     field text COLLATE "C" NOT NULL,
     number bigint NOT NULL,
     raises boolean NOT NULL,
     expires_ms bigint NOT NULL,
     PRIMARY KEY (name, field)
   ) WITH (fillfactor = 50);
   CREATE INDEX IF NOT EXISTS tally_expires ON bellhop.tally (expires_ms);`,
]

/** Any number, the same in every Bellhop: two that start at once take turns. */
const LOCK = 0x62656c6c

/** In one transaction. Throws JournalTooNew. */
export async function migrate(pool: SqlPool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await client.query('CREATE SCHEMA IF NOT EXISTS bellhop')
    await client.query(
      'CREATE TABLE IF NOT EXISTS bellhop.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const { rows } = await client.query<{ version: number }>(
      'SELECT COALESCE(MAX(version), 0)::int AS version FROM bellhop.migration',
    )
    const found = rows[0]?.version ?? 0
    if (found > STEPS.length) throw new JournalTooNew(found, STEPS.length)
    for (const [at, step] of STEPS.entries()) {
      if (at < found) continue
      await client.query(step)
      await client.query('INSERT INTO bellhop.migration (version) VALUES ($1)', [at + 1])
    }
    await client.query('COMMIT')
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw thrown
  } finally {
    client.release()
  }
}
