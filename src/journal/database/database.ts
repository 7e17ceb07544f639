// The journal's database: statements, transactions and pages of lists; its errors become JournalUnavailable.

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'
import { asError } from '../../queue/errors.ts'
import type { PostgresTables, SqlPool } from '../../queue/types.ts'
import { JournalUnavailable } from '../errors.ts'
import type { JournalPage } from '../types.ts'

/** Runs one statement; returns its rows. */
export type Query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>

export interface Database extends PostgresTables {
  /** A transaction of its own. */
  query: Query
  /** Commits what `does` did; runs it again after a deadlock. */
  transaction<R>(does: (query: Query) => Promise<R>): Promise<R>
}

/** PostgreSQL's code for a deadlock. */
const DEADLOCK = '40P01'
const MOST_ATTEMPTS = 5

/** All methods throw JournalUnavailable; `failed` gets each such error too. */
export function databaseOf(
  pool: SqlPool,
  tables: PostgresTables,
  failed: (error: JournalUnavailable) => void = () => undefined,
): Database {
  async function reached<R>(does: () => Promise<R>): Promise<R> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await does()
      } catch (thrown) {
        if ((thrown as { code?: unknown }).code === DEADLOCK && attempt < MOST_ATTEMPTS) continue
        const error = new JournalUnavailable(`The journal cannot be reached: ${asError(thrown).message}`, {
          cause: thrown,
        })
        failed(error)
        throw error
      }
  }
  return {
    ...tables,
    query: (text, values) => reached(() => queryOf(pool)(text, values)),
    transaction: (does) => reached(() => inTransaction(pool, does)),
  }
}

/** Statements whose errors are those of the database. */
export const queryOf =
  (client: Pick<SqlPool, 'query'>): Query =>
  async (text, values) =>
    (await client.query(text, values)).rows as never

/** The column `value` of the first row; undefined without one, and for NULL. */
export async function valueIn<T>(query: Query, text: string, values: unknown[]): Promise<T | undefined> {
  const [found] = await query<{ value: T | null }>(text, values)
  return found?.value ?? undefined
}

/** Commits. If `does` throws, closes the connection, so that the server rolls back. */
export async function inTransaction<R>(pool: SqlPool, does: (query: Query) => Promise<R>): Promise<R> {
  const client = await pool.connect()
  let isOver = false
  try {
    await client.query('BEGIN')
    const result = await does(queryOf(client))
    await client.query('COMMIT')
    isOver = true
    return result
  } finally {
    // A ROLLBACK would wait behind a statement that gets no answer, and leave the transaction open for the next user.
    client.release(!isOver)
  }
}

/** A statement that `together` joins with others. */
export interface Statement {
  text: string
  values: unknown[]
  /** The name by which later statements select from its `RETURNING`. */
  as?: string
}

/**
 * Joins statements into one, which is one transaction and one round trip. It returns the rows of the last one; none sees
 * in a table what another changes.
 */
export function together(statements: readonly Statement[]): [text: string, values: unknown[]] {
  const values: unknown[] = []
  const texts = statements.map(({ text, values: own }) => {
    const before = values.length
    values.push(...own)
    return text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${before + Number(place)}`)
  })
  const last = texts.pop() ?? ''
  const steps = texts.map((text, at) => `${statements[at]?.as ?? `step_${at}`} AS (${text})`)
  return [steps.length === 0 ? last : `WITH ${steps.join(', ')} ${last}`, values]
}

/** A condition, and the value of each of its `?`. */
export type ListFilter = readonly [text: string, ...values: unknown[]]

/**
 * Joins conditions with AND; one with an undefined value is left out. Adds their values to those of the statement so
 * far.
 */
export function where(values: unknown[], conditions: readonly ListFilter[]): string {
  const texts = conditions
    .filter(([, ...given]) => !given.includes(undefined))
    .map(([text, ...given]) => {
      const [...left] = given
      return text.replaceAll('?', () => `$${values.push(left.shift())}`)
    })
  return texts.length === 0 ? 'true' : texts.join(' AND ')
}

/** An entry of an index takes at most 2,704 bytes, and a character at most three. */
const LONGEST = 600

/** Without the characters that PostgreSQL refuses (NUL, lone surrogates); a text that is too long becomes its hash. */
export function keyText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return escaped.length <= LONGEST ? escaped : `sha256 ${hash('sha256', escaped)}`
}

/** The text of a key that was not too long. */
export const textOfKey = (key: string): string => JSON.parse(`"${key}"`) as string

/** The condition for the rows after a cursor: `columns` are a time and an id. All rows fit without a valid cursor. */
export function after(columns: string, cursor: string | undefined): ListFilter {
  const [, at, id] = /^(\S+) ([^\0]*)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? []
  const isPlace = at !== undefined && Number.isFinite(Date.parse(at))
  return [`(${columns}) < (?::timestamptz, ?)`, isPlace ? at : undefined, id]
}

/** The page of rows that were read with a limit of one more. */
export async function pageOf<Row extends { at: Date; id: string }, T>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => T | Promise<T>,
): Promise<JournalPage<T>> {
  const shown = rows.slice(0, limit)
  const items = await Promise.all(shown.map(item))
  const last = shown.at(-1)
  if (last === undefined || rows.length <= limit) return { items }
  return { items, next: Buffer.from(`${last.at.toISOString()} ${last.id}`).toString('base64url') }
}

// In threads of their own: a body of 25 MB takes a second. For a short text, to pass it there costs more.
const shortLength = 64 * 1024
const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Raw deflate of the JSON of a value. */
export async function compressed(value: unknown): Promise<Buffer> {
  const text = JSON.stringify(value)
  return text.length < shortLength ? deflateRawSync(text) : deflate(text)
}

/** The value that `compressed` was given. Throws for damaged bytes. */
export async function decompressed<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await inflate(bytes)).toString()) as T
}
