// The journal's database: statements and transactions, whose errors become JournalUnavailable.
import { asError } from '../../queue/errors.ts'
import type { PostgresTables, SqlPool } from '../../queue/types.ts'
import { JournalUnavailable } from '../errors.ts'

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
