// The partitions of history in PostgreSQL: one for each day and table, and one for rows of other days.

import { DAY_MS, dayOf } from '../days.ts'
import type { Database, Query } from './database.ts'

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
