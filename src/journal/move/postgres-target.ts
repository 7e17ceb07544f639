// Writes a whole journal into PostgreSQL, into tables that no process uses yet.
import type { PostgresTables, SqlPool } from '../../queue/types.ts'
import { dayOf } from '../days.ts'
import { tallyOf } from '../records/tallies.ts'
import { recordTableOf } from '../stores/history.ts'
import { createPartitions } from '../stores/postgres-partitions.ts'
import { postgresStore } from '../stores/postgres-store.ts'
import { inTransaction } from '../stores/postgres-transaction.ts'
import { byTable } from '../stores/postgres-write.ts'
import type { IndexEntry, Put } from '../stores/store.ts'
import type { SourceList, SourceTally } from './redis-source.ts'

export interface PostgresTarget {
  /** Those of the keys that are there. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>
  read(keys: string[]): Promise<(string | undefined)[]>
  put(records: Put[]): Promise<void>
  index(entries: IndexEntry[]): Promise<void>
  lists(lists: readonly SourceList[]): Promise<void>
  tallies(tallies: readonly SourceTally[]): Promise<void>
  /** Empties all but history. */
  clear(): Promise<void>
}

/** Over tables that postgres-migrations.ts has made with the same options. */
export function postgresTarget(pool: SqlPool, tables: PostgresTables): PostgresTarget {
  const { schema } = tables
  const store = postgresStore(pool, tables)
  const partitions = createPartitions(pool, schema)
  const days = new Set<number>()

  return {
    async known(keys) {
      const found = new Set<string>()
      for (const [table, some] of byTable(keys, recordTableOf)) {
        const { rows } = await pool.query<{ key: string }>(
          `SELECT key FROM ${schema}.${table} WHERE key = ANY($1::text[])`,
          [some],
        )
        for (const { key } of rows) found.add(key)
      }
      return found
    },
    read: (keys) => store.read(keys),
    put: (records) => store.write({ put: records }),
    index: (entries) => store.write({ index: entries }),
    async lists(lists) {
      const entries = lists.flatMap(({ name, entries: some }) => some.map((each) => ({ name, ...each })))
      await inTransaction(pool, async (client) => {
        await client.query(
          `INSERT INTO ${schema}.list_end (name, seq, expires_ms)
           SELECT name, seq, NULLIF(expires_ms, 0) FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (name, seq, expires_ms)
           ON CONFLICT (name) DO NOTHING`,
          [
            lists.map(({ name }) => name),
            lists.map(({ seq }) => seq),
            lists.map(({ keepMs }) => (keepMs === undefined ? 0 : Date.now() + keepMs)),
          ],
        )
        await client.query(
          `INSERT INTO ${schema}.list_entry (name, seq, value) SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
           ON CONFLICT (name, seq) DO NOTHING`,
          [entries.map(({ name }) => name), entries.map(({ seq }) => seq), entries.map(({ value }) => value)],
        )
      })
    },
    async tallies(tallies) {
      const rows = tallies.flatMap(({ name, fields, keepMs }) =>
        Object.entries(fields).map(([field, number]) => ({ name, field, number, keepMs, ...tallyOf(name, field) })),
      )
      const missing = [...new Set(rows.map(({ at }) => dayOf(at)))].filter((day) => !days.has(day))
      if (missing.length > 0) await partitions.add(missing)
      for (const day of missing) days.add(day)
      await pool.query(
        `INSERT INTO ${schema}.tally_by_day (name, field, day, number, raises, expires_ms)
         SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::bigint[], $5::boolean[], $6::bigint[])
         ON CONFLICT (name, field, day) DO NOTHING`,
        [
          rows.map(({ name }) => name),
          rows.map(({ field }) => field),
          rows.map(({ at }) => dayOf(at)),
          rows.map(({ number }) => number),
          rows.map(({ how }) => how === 'raise'),
          rows.map(({ keepMs }) => Date.now() + keepMs),
        ],
      )
    },
    async clear() {
      const all = ['record', 'member', 'list_end', 'list_entry', 'tally_by_day'].map((table) => `${schema}.${table}`)
      await pool.query(`TRUNCATE ${all.join(', ')}`)
    },
  }
}
