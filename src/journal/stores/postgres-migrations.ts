// The journal's tables, made by numbered SQL files; one that was released is never changed.
import { readFileSync } from 'node:fs'
import type { PostgresTables, SqlPool } from '../../queue/types.ts'
import { JournalTooNew } from '../errors.ts'
import { lockTables } from './postgres-partitions.ts'
import { inTransaction } from './postgres-transaction.ts'

const FILES = ['0001-initial.sql']

/** In one transaction; others that start at once wait. Returns the id of the journal. Throws JournalTooNew. */
export async function migrate(pool: SqlPool, { schema, partitioned }: PostgresTables): Promise<string> {
  return inTransaction(pool, async (client) => {
    await lockTables(client, schema)
    // With IF NOT EXISTS alone, it would need the right to make schemas where the schema exists.
    const { rows } = await client.query('SELECT 1 WHERE to_regnamespace($1) IS NOT NULL', [schema])
    if (rows.length === 0) await client.query(`CREATE SCHEMA ${schema}`)
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${schema}.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    )
    const found = await readVersion(client, schema)
    await client.query(`SET LOCAL search_path TO ${schema}`)
    for (const [at, file] of FILES.entries()) {
      if (at < found) continue
      await client.query(statements(file, partitioned))
      await client.query('INSERT INTO migration (version) VALUES ($1)', [at + 1])
    }
    return readId(client, schema)
  })
}

/** The id of the journal in a schema; undefined where it has no tables. Changes nothing. Throws JournalTooNew. */
export async function findJournalId(pool: SqlPool, schema: string): Promise<string | undefined> {
  const { rows } = await pool.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [`${schema}.migration`])
  if (rows.length === 0) return undefined
  await readVersion(pool, schema)
  return readId(pool, schema)
}

function statements(file: string, partitioned: boolean): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return text.replaceAll(partitioned ? /\/\* partitioned (.*?) \*\//g : /\/\* whole (.*?) \*\//g, '$1')
}

async function readVersion(client: Pick<SqlPool, 'query'>, schema: string): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT COALESCE(MAX(version), 0)::int AS version FROM ${schema}.migration`,
  )
  const version = rows[0]?.version ?? 0
  if (version > FILES.length) throw new JournalTooNew(version, FILES.length)
  return version
}

async function readId(client: Pick<SqlPool, 'query'>, schema: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM ${schema}.journal`)
  if (rows[0] === undefined) throw new Error(`${schema}.journal does not name the journal`)
  return rows[0].id
}
