// One statement for one write of the journal, made of the parts that the write has. A statement is a transaction.
import { dayOf } from '../days.ts'
import { dayOfMember, firstOfDay, memberTableOf, recordTableOf } from './history.ts'
import { type IndexEntry, MOST_IN_TALLY, type Put, type TallyChange, type Write } from './store.ts'

export interface Statement {
  text: string
  values: unknown[]
}

/**
 * Undefined where the write has no parts. `now`: milliseconds since 1970. Throws TypeError for a `put` of history that
 * does not say when it happened.
 */
export function writeStatement(schema: string, write: Write, now: number): Statement | undefined {
  const { guarded, put = [], remove = [], index = [], unindex = [], count = [] } = write
  const sql = new Sql(schema, now, guarded !== undefined)
  if (guarded !== undefined) sql.add('guarded', guard(sql, guarded))
  // Where the guard refused, this has no row, and so have the parts that read from it.
  if (guarded !== undefined) sql.add('free', 'SELECT WHERE EXISTS (SELECT FROM guarded)')
  for (const [table, some] of byTable(put, ({ key }) => recordTableOf(key)))
    sql.add(`put_${table}`, upsert(sql, table, some))
  for (const [table, some] of byTable(remove, recordTableOf)) sql.add(`removed_${table}`, removal(sql, table, some))
  for (const [table, some] of byTable(index, ({ name }) => memberTableOf(name)))
    sql.add(`indexed_${table}`, indexing(sql, table, some))
  for (const [table, some] of byTable(unindex, ({ name }) => memberTableOf(name)))
    sql.add(`unindexed_${table}`, unindexing(sql, table, some))
  if (count.length > 0) sql.add('counted', counting(sql, count))
  return sql.statement()
}

/** The days to which the write adds history, in days since 1970. */
export function daysOf({ guarded, put = [], index = [], count = [] }: Write): number[] {
  const times = [guarded, ...put, ...count].flatMap((each) => each?.at ?? [])
  const members = index.filter(({ name }) => memberTableOf(name) !== 'member').map(({ member }) => dayOfMember(member))
  return [...new Set([...times.map(dayOf), ...members])]
}

/** Collects the parts of a statement and their values. */
class Sql {
  readonly now: number
  /** What the FROM of each part begins with. */
  readonly from: string
  readonly #schema: string
  readonly #parts: string[] = []
  readonly #values: unknown[] = []

  constructor(schema: string, now: number, isGuarded: boolean) {
    this.#schema = schema
    this.now = now
    this.from = isGuarded ? 'free, ' : ''
  }

  add(name: string, part: string): void {
    this.#parts.push(`${name} AS (${part})`)
  }

  table(name: string): string {
    return `${this.#schema}.${name}`
  }

  value(given: unknown, type: string): string {
    return `$${this.#values.push(given)}::${type}`
  }

  /** A table `given` with a column for each entry: its type, and its value in each row. */
  rows(columns: Record<string, [type: string, values: unknown[]]>): string {
    const arrays = Object.values(columns).map(([type, values]) => this.value(values, `${type}[]`))
    return `unnest(${arrays.join(', ')}) AS given (${Object.keys(columns).join(', ')})`
  }

  statement(): Statement | undefined {
    if (this.#parts.length === 0) return undefined
    return { text: `WITH ${this.#parts.join(',\n')}\nSELECT`, values: this.#values }
  }
}

function guard(sql: Sql, put: NonNullable<Write['guarded']>): string {
  const table = recordTableOf(put.key)
  const { columns, conflict, day } = shapeOf(table)
  const unless = sql.value(put.unless, 'text')
  return `INSERT INTO ${sql.table(table)} AS present (${columns})
    SELECT key, value, NULLIF(expires_ms, 0)${day} FROM ${rowsOf(sql, table, [put])}
    ON CONFLICT (${conflict}) DO UPDATE SET value = EXCLUDED.value, expires_ms = EXCLUDED.expires_ms
    WHERE position(${unless} IN present.value) = 0 OR present.expires_ms <= ${sql.value(sql.now, 'bigint')}
    RETURNING 1`
}

function upsert(sql: Sql, table: string, puts: readonly Put[]): string {
  const { columns, conflict, day } = shapeOf(table)
  return `INSERT INTO ${sql.table(table)} (${columns})
    SELECT key, value, NULLIF(expires_ms, 0)${day} FROM ${sql.from}${rowsOf(sql, table, puts)}
    ON CONFLICT (${conflict}) DO UPDATE SET value = EXCLUDED.value, expires_ms = EXCLUDED.expires_ms`
}

/** The columns of a table of records, and those of its primary key. */
const shapeOf = (table: string) =>
  table === 'record'
    ? { columns: 'key, value, expires_ms', conflict: 'key', day: '' }
    : { columns: 'key, value, expires_ms, day', conflict: 'key, day', day: ', day' }

function rowsOf(sql: Sql, table: string, puts: readonly Put[]): string {
  return sql.rows({
    key: ['text', puts.map(({ key }) => key)],
    value: ['text', puts.map(({ value }) => value)],
    // 0 stands for never: PGlite takes no null in an array of numbers.
    expires_ms: ['bigint', puts.map(({ keepMs }) => (keepMs === undefined ? 0 : sql.now + keepMs))],
    ...(table === 'record' ? {} : { day: ['integer', puts.map(dayOfPut)] }),
  })
}

function dayOfPut({ key, at }: Put): number {
  if (at === undefined) throw new TypeError(`the record ${key} of history does not say when it happened`)
  return dayOf(at)
}

function removal(sql: Sql, table: string, keys: readonly string[]): string {
  return `DELETE FROM ${sql.table(table)} AS present USING ${sql.from}${sql.rows({ key: ['text', [...keys]] })} WHERE present.key = given.key`
}

const membersOf = (sql: Sql, entries: readonly IndexEntry[]) =>
  sql.rows({
    name: ['text', entries.map(({ name }) => name)],
    member: ['text', entries.map(({ member }) => member)],
  })

function indexing(sql: Sql, table: string, entries: readonly IndexEntry[]): string {
  return `INSERT INTO ${sql.table(table)} (name, member) SELECT given.name, given.member FROM ${sql.from}${membersOf(sql, entries)} ON CONFLICT DO NOTHING`
}

function unindexing(sql: Sql, table: string, entries: readonly IndexEntry[]): string {
  return `DELETE FROM ${sql.table(table)} AS present USING ${sql.from}${membersOf(sql, entries)}
    WHERE present.name = given.name AND present.member = given.member${table === 'member' ? '' : withinDays(sql, entries)}`
}

/** By which the planner knows which partitions it needs. */
function withinDays(sql: Sql, entries: readonly IndexEntry[]): string {
  const days = entries.map(({ member }) => dayOfMember(member))
  const [from, to] = [firstOfDay(Math.min(...days)), firstOfDay(Math.max(...days) + 1)]
  return ` AND present.member >= ${sql.value(from, 'text')} AND present.member < ${sql.value(to, 'text')}`
}

function counting(sql: Sql, count: readonly TallyChange[]): string {
  const tally = sql.table('tally_by_day')
  const days = sql.value([...new Set(count.map(({ at }) => dayOf(at)))], 'integer[]')
  const names = sql.value([...new Set(count.map((each) => each.tally))], 'text[]')
  const rows = sql.rows({
    name: ['text', count.map((each) => each.tally)],
    field: ['text', count.map(({ field }) => field)],
    number: ['bigint', count.map(({ number }) => number)],
    raises: ['boolean', count.map(({ how }) => how === 'raise')],
    expires_ms: ['bigint', count.map(({ keepMs }) => sql.now + keepMs)],
    day: ['integer', count.map(({ at }) => dayOf(at))],
  })
  // Ordered, so that two writes do not wait for each other.
  return `INSERT INTO ${tally} AS present (name, field, number, raises, expires_ms, day)
    SELECT name, field, number, raises, expires_ms, day FROM ${sql.from}${rows}
    LEFT JOIN (SELECT name, count(*) AS fields FROM ${tally} WHERE name = ANY(${names}) AND day = ANY(${days}) GROUP BY name) AS size USING (name)
    WHERE coalesce(fields, 0) < ${MOST_IN_TALLY}
      OR EXISTS (SELECT FROM ${tally} AS known WHERE known.name = given.name AND known.field = given.field AND known.day = given.day)
    ORDER BY name, field
    ON CONFLICT (name, field, day) DO UPDATE
    SET number = CASE WHEN present.raises THEN GREATEST(present.number, EXCLUDED.number) ELSE present.number + EXCLUDED.number END`
}

/** In the order of the tables' names, so that two writes do not wait for each other. */
export function byTable<T, Table extends string>(
  all: readonly T[],
  tableOf: (each: T) => Table,
): [table: Table, some: T[]][] {
  const tables = new Map<Table, T[]>()
  for (const each of all) {
    const table = tableOf(each)
    const some = tables.get(table)
    if (some === undefined) tables.set(table, [each])
    else some.push(each)
  }
  return [...tables].sort(([a], [b]) => (a < b ? -1 : 1))
}
