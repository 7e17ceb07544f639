// What the tables in PostgreSQL say of the journal as a whole: its version, whose it is, and whether it is whole.
import type { PostgresStore, SqlPool } from '../../queue/types.ts'
import { JournalMisconfigured, JournalTooNew } from '../errors.ts'
import { migrate, TABLES_VERSION } from './postgres-migrations.ts'

/** In place of an id: it is the same wherever the database is restored. */
const QUEUE_IN_SAME_DATABASE = 'queue in the same database'

export interface PostgresLayout {
  /** 0: there are no tables. */
  version: number
  /** Whose they are; absent: nobody's yet. */
  owner?: TablesOwner
  /** No record is stored. */
  isEmpty: boolean
}

export interface TablesOwner {
  /** The id that the queue keeps (redis-layout.ts). */
  installation: string
  /** The run of `bellhop journal move` that fills the tables: until it has ended, they are half of a journal. */
  run?: string
}

/** As one text, so that a row is compared and replaced as a whole. */
const textOf = ({ installation, run }: TablesOwner) =>
  run === undefined ? installation : `${installation} move ${run}`

function ownerIn(text: string): TablesOwner {
  const [installation = '', run] = text.split(' move ')
  return { installation, ...(run === undefined ? {} : { run }) }
}

/** Changes nothing. Throws JournalTooNew. */
export async function readPostgresLayout(pool: SqlPool, schema: string): Promise<PostgresLayout> {
  const has = async (table: string) =>
    (await pool.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [`${schema}.${table}`])).rows.length > 0
  if (!(await has('migration'))) return { version: 0, isEmpty: true }
  const { rows } = await pool.query<{ version: number }>(
    `SELECT COALESCE(MAX(version), 0)::int AS version FROM ${schema}.migration`,
  )
  const version = rows[0]?.version ?? 0
  if (version > TABLES_VERSION) throw new JournalTooNew(version, TABLES_VERSION)
  let isEmpty = true
  for (const table of ['record', 'delivery', 'decision'])
    if (await has(table)) isEmpty &&= (await pool.query(`SELECT 1 FROM ${schema}.${table} LIMIT 1`)).rows.length === 0
  const owner = (await has('installation')) ? await readOwner(pool, schema) : undefined
  // An earlier version whose queue is in the same database names no owner.
  if (owner === undefined && !isEmpty) return { version, isEmpty, owner: { installation: QUEUE_IN_SAME_DATABASE } }
  return { version, isEmpty, ...(owner === undefined ? {} : { owner }) }
}

async function readOwner(pool: SqlPool, schema: string): Promise<TablesOwner | undefined> {
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${schema}.installation`)
  return rows[0] && ownerIn(rows[0].id)
}

/** Makes `to` the owner. Returns false, and changes nothing, where `from` is the owner no more. */
export async function changeOwner(
  pool: SqlPool,
  schema: string,
  { from, to }: { from: TablesOwner | undefined; to: TablesOwner },
): Promise<boolean> {
  // There is one row: `is_only` is its key.
  const { rowCount } = await pool.query(
    `INSERT INTO ${schema}.installation (is_only, id) VALUES (true, $1)
     ON CONFLICT (is_only) DO UPDATE SET id = EXCLUDED.id WHERE installation.id IN ($1, $2)`,
    [textOf(to), textOf(from ?? to)],
  )
  return rowCount === 1
}

/**
 * Makes or updates the tables for the installation of the store. Throws JournalTooNew, and JournalMisconfigured where
 * they belong to another; nothing is changed then.
 */
export async function openTables(store: PostgresStore): Promise<void> {
  await checkTables(store)
  const { pool, tables } = store
  await migrate(pool, tables)
  if (!(await changeOwner(pool, tables.schema, { from: undefined, to: ownerOf(store) }))) throw ofAnother(store)
}

/** Throws as `openTables`. Changes nothing. */
export async function checkTables(store: PostgresStore): Promise<void> {
  const { owner } = await readPostgresLayout(store.pool, store.tables.schema)
  if (owner !== undefined && textOf(owner) !== textOf(ownerOf(store))) throw ofAnother(store)
}

const ownerOf = ({ installation = QUEUE_IN_SAME_DATABASE }: PostgresStore): TablesOwner => ({ installation })

const ofAnother = ({ tables }: PostgresStore) =>
  new JournalMisconfigured(
    `The schema ${tables.schema} of this database holds the journal of another installation. Give this one a database ` +
      'of its own (BELLHOP_QUEUE_URL).',
  )
