// The journal's store in PostgreSQL tables; each method is one statement, and so one transaction.
import type { PostgresTables, SqlPool } from '../../queue/types.ts'
import { tryEach } from '../try-each.ts'
import { dayOfMember, memberTableOf, type RecordTable, recordTableOf } from './history.ts'
import { createPartitions } from './postgres-partitions.ts'
import { postgresStatements } from './postgres-statements.ts'
import { byTable, daysOf, writeStatement } from './postgres-write.ts'
import type { JournalStore, Write } from './store.ts'

const EXPIRED_AT_ONCE = 10_000

/** PostgreSQL's code for a row that fits no partition. */
const NO_PARTITION = '23514'
/** PostgreSQL's code for a statement that it ended, as this one and another waited for each other's rows. Nothing of it was stored. */
const DEADLOCK = '40P01'
/** Of one write. */
const MOST_ATTEMPTS = 5

/** Over tables that postgres-migrations.ts has made with the same options. */
export function postgresStore(pool: SqlPool, { schema, partitioned }: PostgresTables): JournalStore {
  const statements = postgresStatements(schema)
  const partitions = partitioned ? createPartitions(pool, schema) : undefined

  async function readFrom(table: RecordTable, keys: string[]): Promise<[string, string][]> {
    if (keys.length === 0) return []
    const { rows } = await pool.query<{ key: string; value: string }>(statements.read(table), [keys, Date.now()])
    return rows.map(({ key, value }) => [key, value])
  }

  async function write(given: Write): Promise<void> {
    const statement = writeStatement(schema, given, Date.now())
    if (statement === undefined) return
    for (let attempt = 1; ; attempt += 1)
      try {
        await pool.query(statement.text, statement.values)
        return
      } catch (thrown) {
        const { code } = thrown as { code?: unknown }
        if (attempt === MOST_ATTEMPTS) throw thrown
        if (partitions !== undefined && code === NO_PARTITION) await partitions.add(daysOf(given))
        else if (code !== DEADLOCK) throw thrown
      }
  }

  return {
    async read(keys) {
      const read = await Promise.all(byTable(keys, recordTableOf).map(([table, some]) => readFrom(table, some)))
      const found = new Map(read.flat())
      return keys.map((key) => found.get(key))
    },
    write,
    async tallies(names) {
      if (names.length === 0) return []
      const { rows } = await pool.query<{ name: string; field: string; number: number | string }>(statements.tallies, [
        names,
        Date.now(),
      ])
      const found = new Map(names.map((name): [string, Record<string, number>] => [name, {}]))
      for (const { name, field, number } of rows) Object.assign(found.get(name) ?? {}, { [field]: Number(number) })
      return names.map((name) => found.get(name) ?? {})
    },
    members: (name, { before, limit }) =>
      members(statements.members(memberTableOf(name), before !== undefined), [
        ...[name, limit],
        ...(before === undefined ? [] : [before]),
      ]),
    behind: async (name, after) => (await members(statements.behind(memberTableOf(name)), [name, after]))[0],
    oldest: (name, { before, limit }) => members(statements.oldest(memberTableOf(name)), [name, limit, before]),
    async append(list, { value, idempotencyKey, keepIdempotencyKeyMs, keepMs, claim }) {
      const now = Date.now()
      const expires = keepMs === undefined ? null : now + keepMs
      const claimed =
        claim === undefined ? [null, null, null, null] : [claim.key, claim.by, now + claim.keepMs, claim.lostKey]
      const { rows } = await pool.query<{ seq: number | string | null; claimed_by: string | null }>(statements.append, [
        ...[idempotencyKey, now + keepIdempotencyKeyMs, now, list, value, expires],
        ...claimed,
      ])
      const { seq = null, claimed_by: by = null } = rows[0] ?? {}
      return { ...(seq === null ? {} : { seq: Number(seq) }), ...(by === null ? {} : { claimedBy: by }) }
    },
    async entries(list) {
      const { rows } = await pool.query<{ seq: number | string; value: string }>(statements.entries, [list, Date.now()])
      return rows.map((row) => ({ seq: Number(row.seq), value: row.value }))
    },
    trim: async (list, seq, keepEmptyMs) =>
      void (await pool.query(statements.trim, [
        list,
        seq,
        keepEmptyMs === undefined ? null : Date.now() + keepEmptyMs,
      ])),
    async swap(key, { from, to, keepMs }) {
      const now = Date.now()
      const values = [key, to, keepMs === undefined ? null : now + keepMs, now]
      const { rowCount } =
        from === undefined
          ? await pool.query(statements.swapNone, values)
          : await pool.query(statements.swap, [...values, from])
      return rowCount === 1
    },
    async extend({ records = [], lists = [] }, keepMs) {
      const now = Date.now()
      await pool.query(statements.extend, [records, lists, now + keepMs, now])
    },
    async dropExpired(now) {
      const ms = now.getTime()
      await tryEach([
        () => deleteExpired(ms),
        () => partitions?.dropExpired(ms) ?? pool.query(statements.dropExpiredDays, [ms]),
      ])
    },
    ...(partitions && { dropDays: (of, before) => partitions.dropBefore(of, dayOfMember(before)) }),
  }

  /** In statements that end within their timeout, however many have expired. */
  async function deleteExpired(now: number): Promise<void> {
    for (let deleted = 1; deleted > 0; ) {
      const { rows } = await pool.query<{ deleted: number }>(statements.dropExpired, [now, EXPIRED_AT_ONCE])
      deleted = rows[0]?.deleted ?? 0
    }
  }

  async function members(text: string, values: unknown[]): Promise<string[]> {
    const { rows } = await pool.query<{ member: string }>(text, values)
    return rows.map((row) => row.member)
  }
}
