// Makes the journal's tables in a database: those of history in PostgreSQL with a partition for each day, and one for others.
import { readFileSync } from 'node:fs'
import type { PostgresTables, SqlPool } from '../../queue/types.ts'
import { DAY_MS, dayOf } from '../days.ts'
import { JournalMisconfigured, JournalTooNew } from '../errors.ts'
import { type Database, databaseOf, inTransaction, type Query } from './database.ts'

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

/** The tables of history, and the column by which each is divided. */
const TABLES = { deliveries: 'received_at', decisions: 'at' } as const

/** Partitions are made so long before they are needed. */
const DAYS_AHEAD = 2

/** Waits so long for a lock: a slow reader must not hold up all that come after. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'"

/** All that make or change tables of a schema take turns, until their transactions end. */
export async function lockTables(run: Query, schema: string): Promise<void> {
  await run('SELECT pg_advisory_xact_lock(hashtext($1))', [`bellhop tables of ${schema}`])
}

/** Makes the partitions of today and the next days; a day that already has rows gets none. */
export async function addDays({ schema, transaction }: Database, now: Date): Promise<void> {
  const today = dayOf(now.getTime())
  for (const table of Object.keys(TABLES))
    for (let day = today; day <= today + DAYS_AHEAD; day += 1)
      await transaction(async (run) => {
        await run(LOCK_TIMEOUT)
        await lockTables(run, schema)
        const [found] = await run<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [
          `${schema}.${table}_${day}`,
        ])
        if (found?.name == null) await addDay(run, `${schema}.${table}`, day)
      })
}

/** Attaches a partition after it was made: making it within its table would lock out all readers and writers. */
async function addDay(run: Query, table: string, day: number): Promise<void> {
  const time = TABLES[table.slice(table.lastIndexOf('.') + 1) as keyof typeof TABLES]
  const [from, to] = [day, day + 1].map((each) => new Date(each * DAY_MS).toISOString())
  const [other] = await run(`SELECT 1 FROM ${table}_other WHERE ${time} >= $1 AND ${time} < $2 LIMIT 1`, [from, to])
  if (other !== undefined) return
  await run(`CREATE TABLE ${table}_${day} (LIKE ${table} INCLUDING ALL)`)
  await run(`ALTER TABLE ${table} ATTACH PARTITION ${table}_${day} FOR VALUES FROM ('${from}') TO ('${to}')`)
}

/** Drops the partitions of the days before a time. */
export async function dropDaysBefore(
  { schema, query, transaction }: Database,
  table: keyof typeof TABLES,
  time: string,
): Promise<void> {
  const rows = await query<{ name: string }>(
    'SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = $1::regclass',
    [`${schema}.${table}`],
  )
  for (const { name } of rows) {
    const day = Number(/\d+$/.exec(name)?.[0] ?? Number.NaN)
    if (!(day < dayOf(Date.parse(time)))) continue
    await transaction(async (run) => {
      await run(LOCK_TIMEOUT)
      // Only one process drops partitions at a time: waiting for a reader holds up all writers.
      const [alone] = await run<{ is: boolean }>('SELECT pg_try_advisory_xact_lock(hashtext($1)) AS is', [
        `bellhop retention of ${schema}`,
      ])
      if (alone?.is === true) await run(`DROP TABLE IF EXISTS ${schema}.${name}`)
    })
  }
}
