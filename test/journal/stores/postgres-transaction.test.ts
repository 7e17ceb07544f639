// Transactions on a PostgreSQL that does not answer in time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/journal/stores/postgres-transaction.ts'
import { asSqlPool, endPool, openPool } from '../../../src/queue/postgres/pool.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'

describe.skipIf(!hasPostgresServer())('a transaction', () => {
  let postgres: TestPostgres

  beforeAll(async () => {
    postgres = await startPostgres()
    postgres.run('CREATE TABLE stored (what text)')
  })
  afterAll(() => postgres.stop())

  test('that is given up leaves no connection in it: later writes are stored', async () => {
    // The client gives up long before the server does.
    const pool = openPool({ url: `${postgres.url}?query_timeout=1000`, max: 1, log: () => undefined })
    const abandoned = inTransaction(asSqlPool(pool), async (client) => {
      await client.query(`INSERT INTO stored VALUES ('in the transaction')`)
      await client.query('SELECT pg_sleep(2.2)')
    })
    await expect(abandoned).rejects.toThrow(/timeout/)
    await pool.query(`INSERT INTO stored VALUES ('later')`)
    await endPool(pool)
    expect(postgres.run('SELECT what FROM stored')).toBe('later')
  })
})
