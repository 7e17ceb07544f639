// A pool of connections to a PostgreSQL server.
import { Pool } from 'pg'
import { withoutCredentials } from '../errors.ts'
import type { SqlPool } from '../types.ts'

export interface PoolOptions {
  url: string
  /** The most connections. */
  max: number
  /** The schemas in which tables are found by their names alone. */
  searchPath?: string
  /** Receives lost connections, which recover by themselves. */
  log(message: string, error: Error): void
}

/** A statement waits so long for a connection, and then for its answer. */
const TIMEOUT_MS = 10_000
/** The server cancels a statement before the pool gives it up: it must neither run later nor keep its connection. */
const CANCELLED_AFTER_MS = 9_000

/** Connects when it is first used. The URL may set other timeouts. */
export function openPool({ url, max, searchPath, log }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    statement_timeout: CANCELLED_AFTER_MS,
    // The locks of a process whose machine is gone would stop all others, until TCP finds out.
    idle_in_transaction_session_timeout: TIMEOUT_MS,
    keepAlive: true,
    options: searchPath && `-c search_path=${searchPath}`,
  })
  // Every queue and worker listens: many listeners are no leak here.
  pool.setMaxListeners(0)
  const lost = (error: Error) => log(`The connection to ${withoutCredentials(url)} is lost: ${error.message}`, error)
  // The pool tells of idle clients only: without a listener of its own, one in use that is cut would end the process.
  pool.on('connect', (client) => client.on('error', lost))
  pool.on('error', () => undefined)
  return pool
}

/** The pool as BullMQ and the journal use it. */
export const asSqlPool = (pool: Pool): SqlPool => pool as unknown as SqlPool

/** A client that nobody released must not keep the process from ending. */
export async function endPool(pool: Pool): Promise<void> {
  await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
}
