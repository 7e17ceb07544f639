// The journal's tables as numbered steps; a released step is never changed. No step removes a table or a column, so that
// workers of the version before go on while a new one starts. History that they store after a step has moved it to other
// tables is not found.
import type { PostgresTables, SqlClient, SqlPool } from '../../queue/types.ts'
import { JournalTooNew } from '../errors.ts'
import { addHistoryTables } from './postgres-history-step.ts'
import { lockTables } from './postgres-partitions.ts'
import { inTransaction } from './postgres-transaction.ts'

type Step = (client: SqlClient, tables: PostgresTables) => Promise<unknown>

/** Byte order, as in Redis. */
const STEPS: readonly Step[] = [
  (client, { schema }) =>
    client.query(`CREATE TABLE IF NOT EXISTS ${schema}.record (
     key text COLLATE "C" PRIMARY KEY,
     value text NOT NULL,
     expires_ms bigint
   );
   CREATE INDEX IF NOT EXISTS record_expires ON ${schema}.record (expires_ms) WHERE expires_ms IS NOT NULL;
   CREATE TABLE IF NOT EXISTS ${schema}.member (
     name text COLLATE "C" NOT NULL,
     member text COLLATE "C" NOT NULL,
     PRIMARY KEY (name, member)
   );
   CREATE TABLE IF NOT EXISTS ${schema}.list_end (
     name text COLLATE "C" PRIMARY KEY,
     seq bigint NOT NULL
   );
   CREATE TABLE IF NOT EXISTS ${schema}.list_entry (
     name text COLLATE "C" NOT NULL,
     seq bigint NOT NULL,
     value text NOT NULL,
     PRIMARY KEY (name, seq)
   );`),
  (client, { schema }) =>
    client.query(`ALTER TABLE ${schema}.list_end ADD COLUMN IF NOT EXISTS expires_ms bigint;
   CREATE INDEX IF NOT EXISTS list_end_expires ON ${schema}.list_end (expires_ms) WHERE expires_ms IS NOT NULL;`),
  // Half of each page stays free, so that updates are in place and write no index.
  (client, { schema }) =>
    client.query(`CREATE TABLE IF NOT EXISTS ${schema}.tally (
     name text COLLATE "C" NOT NULL,
     field text COLLATE "C" NOT NULL,
     number bigint NOT NULL,
     raises boolean NOT NULL,
     expires_ms bigint NOT NULL,
     PRIMARY KEY (name, field)
   ) WITH (fillfactor = 50);
   CREATE INDEX IF NOT EXISTS tally_expires ON ${schema}.tally (expires_ms);`),
  addHistoryTables,
  (client, { schema }) =>
    client.query(`CREATE TABLE ${schema}.installation (is_only boolean PRIMARY KEY, id text NOT NULL)`),
  // No change here: members name records in another way (records/keys.ts), which earlier versions do not find.
  async () => undefined,
]

/** The longest that a timer of Node.js takes: 24 days. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** In one transaction, however long it takes; others that start at once wait. Throws JournalTooNew. */
export async function migrate(pool: SqlPool, tables: PostgresTables): Promise<void> {
  const { schema } = tables
  await inTransaction(pool, async (hurried) => {
    const client = withoutTimeout(hurried)
    await client.query('SET LOCAL statement_timeout = 0')
    await lockTables(client, schema)
    // With IF NOT EXISTS alone, it would need the right to make schemas where the schema exists.
    const { rows: schemas } = await client.query('SELECT 1 WHERE to_regnamespace($1) IS NOT NULL', [schema])
    if (schemas.length === 0) await client.query(`CREATE SCHEMA ${schema}`)
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${schema}.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    )
    const { rows } = await client.query<{ version: number }>(
      `SELECT COALESCE(MAX(version), 0)::int AS version FROM ${schema}.migration`,
    )
    const found = rows[0]?.version ?? 0
    if (found > STEPS.length) throw new JournalTooNew(found, STEPS.length)
    for (const [at, step] of STEPS.entries()) {
      if (at < found) continue
      await step(client, tables)
      await client.query(`INSERT INTO ${schema}.migration (version) VALUES ($1)`, [at + 1])
    }
  })
}

/** A step over a large journal takes minutes. */
function withoutTimeout(client: SqlClient): SqlClient {
  return {
    query: (text, values) =>
      client.query(typeof text === 'string' ? { text, values, query_timeout: NO_TIMEOUT_MS } : text),
    release: (closes) => client.release(closes),
  }
}

/** The version that `migrate` makes. */
export const TABLES_VERSION = STEPS.length
