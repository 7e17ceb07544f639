// The partitions of history in PostgreSQL: one for each day and table, made when the first row of a day comes.
import type { SqlClient, SqlPool } from '../../queue/types.ts'
import { tryEach } from '../try-each.ts'
import { firstOfDay, type History, historyTables } from './history.ts'
import { inTransaction } from './postgres-transaction.ts'

/** How the partitions of a table are bounded: by the number of the day, or by members that begin with their time. */
const partitioned = {
  delivery: 'day',
  decision: 'day',
  body: 'day',
  tally_by_day: 'day',
  delivery_member: 'member',
  decision_member: 'member',
} as const

/** The tables whose rows expire: a partition goes when all in it have. */
const expiring = ['body', 'tally_by_day'] as const

/** Locks of others are waited for so long: a reader that takes long must not hold up all that come after. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'"

/** PostgreSQL's code for a table that does not exist. */
const NO_TABLE = '42P01'

export interface Partitions {
  /** Makes what is missing for these days since 1970. */
  add(days: readonly number[]): Promise<void>
  /** Drops the partitions of the days before one. */
  dropBefore(of: History, day: number): Promise<void>
  /** Drops the partitions of bodies and tallies in which everything has expired. `now`: milliseconds since 1970. */
  dropExpired(now: number): Promise<void>
}

export function createPartitions(pool: SqlPool, schema: string): Partitions {
  async function daysOf(table: string): Promise<number[]> {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = $1::regclass`,
      [`${schema}.${table}`],
    )
    return rows.map(({ name }) => Number(/\d+$/.exec(name)?.[0])).filter(Number.isSafeInteger)
  }

  /** While another process drops one, it is left to that process: who waits for a reader holds up all writers. */
  async function dropOne(table: string, day: number): Promise<void> {
    await inTransaction(pool, async (client) => {
      await client.query(LOCK_TIMEOUT)
      const { rows } = await client.query<{ isAlone: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS "isAlone"',
        [`bellhop retention of ${schema}`],
      )
      if (rows[0]?.isAlone === true) await client.query(`DROP TABLE IF EXISTS ${nameOf(schema, table, day)}`)
    })
  }

  /** One look into an index. False where another process has dropped it. */
  async function isExpired(table: string, day: number, now: number): Promise<boolean> {
    try {
      const { rows } = await pool.query<{ lasts: boolean }>(
        `SELECT expires_ms IS NULL OR expires_ms > $1 AS lasts FROM ${nameOf(schema, table, day)}
         ORDER BY expires_ms DESC NULLS FIRST LIMIT 1`,
        [now],
      )
      return rows[0]?.lasts !== true
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code === NO_TABLE) return false
      throw thrown
    }
  }

  async function dropExpiredOf(table: string, now: number): Promise<void> {
    for (const day of await daysOf(table)) if (await isExpired(table, day, now)) await dropOne(table, day)
  }

  return {
    async add(days) {
      await inTransaction(pool, async (client) => {
        await client.query(LOCK_TIMEOUT)
        await lockTables(client, schema)
        for (const day of days) await addDay(client, schema, day)
      })
    },
    async dropBefore(of, before) {
      for (const table of Object.values(historyTables[of]))
        for (const day of await daysOf(table)) if (day < before) await dropOne(table, day)
    },
    dropExpired: (now) => tryEach(expiring.map((table) => () => dropExpiredOf(table, now))),
  }
}

/** All that make or change tables of the schema take turns, until their transactions end. */
export async function lockTables(client: SqlClient, schema: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`bellhop tables of ${schema}`])
}

/** Attached to its table after it was made: making it within would lock out all readers and writers of the table. */
async function addDay(client: SqlClient, schema: string, day: number): Promise<void> {
  for (const [table, by] of Object.entries(partitioned)) {
    const name = nameOf(schema, table, day)
    const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1)::text AS found', [name])
    if (rows[0]?.found != null) continue
    const [from, to] = by === 'day' ? [day, day + 1] : [`'${firstOfDay(day)}'`, `'${firstOfDay(day + 1)}'`]
    // Half of each page of tallies stays free, so that updates are in place and write no index.
    const options = table === 'tally_by_day' ? ' WITH (fillfactor = 50)' : ''
    await client.query(`CREATE TABLE ${name} (LIKE ${schema}.${table} INCLUDING ALL)${options}`)
    await client.query(`ALTER TABLE ${schema}.${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`)
  }
}

/** Days before 1970 do not exist (keys.ts). */
const nameOf = (schema: string, table: string, day: number) => `${schema}.${table}_${Math.max(0, Math.trunc(day))}`
