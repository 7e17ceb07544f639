// Several statements on one connection, as one transaction.
import type { SqlClient, SqlPool } from '../../queue/types.ts'

/** Commits. Where `does` throws, closes the connection, by which the server rolls back. */
export async function inTransaction<R>(pool: SqlPool, does: (client: SqlClient) => Promise<R>): Promise<R> {
  const client = await pool.connect()
  let isOver = false
  try {
    await client.query('BEGIN')
    const result = await does(client)
    await client.query('COMMIT')
    isOver = true
    return result
  } finally {
    // A ROLLBACK would wait behind a statement that gets no answer, and leave the transaction open for the next user.
    client.release(!isOver)
  }
}
