// Makes the journal's tables in a database.
import { readFileSync } from 'node:fs'
import type { PostgresTables, SqlPool } from '../../queue/types.ts'
import { JournalMisconfigured, JournalTooNew } from '../errors.ts'
import { databaseOf, inTransaction, type Query } from './database.ts'
import { addDays, lockTables } from './partitions.ts'

/** The version of schema.sql. */
const VERSION = 1

/**
 * Makes the tables if there are none, in one transaction; others that start at once wait. Returns the id of the
 * journal. Throws JournalTooNew, and JournalMisconfigured if the schema holds other tables.
 */
export async function makeTables(pool: SqlPool, tables: PostgresTables): Promise<string> {
  const { schema, partitioned } = tables
  const id = await inTransaction(pool, async (run) => {
    await lockTables(run, schema)
    const found = await readIdentity(run, schema)
    if (found !== undefined) return found
    // IF NOT EXISTS alone needs the right to make schemas even if the schema exists.
    const [known] = await run('SELECT 1 WHERE to_regnamespace($1) IS NOT NULL', [schema])
    if (known === undefined) await run(`CREATE SCHEMA ${schema}`)
    await run(`SET LOCAL search_path TO ${schema}`)
    await run(statements(partitioned))
    return readIdentity(run, schema)
  })
  if (partitioned) await addDays(databaseOf(pool, tables), new Date())
  return id ?? ''
}

/** The id of a schema's journal; undefined if the schema has no tables. Changes nothing. Throws as `makeTables`. */
export async function readIdentity(run: Query, schema: string): Promise<string | undefined> {
  const tables = await run<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) LIMIT 1',
    [schema],
  )
  if (tables.length === 0) return undefined
  const columns = await run<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0`,
    [`${schema}.journal`],
  )
  if (!columns.some(({ name }) => name === 'version'))
    throw new JournalMisconfigured(
      `The tables in ${schema} are not those of this version’s journal, which begins in an empty folder, database or schema: name one (BELLHOP_QUEUE_URL or BELLHOP_JOURNAL_URL).`,
    )
  const [found] = await run<{ id: string; version: number }>(`SELECT id, version FROM ${schema}.journal`)
  if (found === undefined) throw new JournalMisconfigured(`${schema}.journal does not name the journal.`)
  if (found.version > VERSION) throw new JournalTooNew(found.version, VERSION)
  return found.id
}

function statements(partitioned: boolean): string {
  const text = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
  if (!partitioned) return text
  const others = ['deliveries', 'decisions'].map(
    (table) => `CREATE TABLE ${table}_other PARTITION OF ${table} DEFAULT;`,
  )
  return [text.replaceAll(/\/\* partitioned (.*?) \*\//g, '$1'), ...others].join('\n')
}
