// Writes to the journal in a PostgreSQL that come at the same time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/journal/stores/postgres-migrations.ts'
import { postgresStore } from '../../../src/journal/stores/postgres-store.ts'
import { asSqlPool, endPool, openPool } from '../../../src/queue/postgres/pool.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'

describe.skipIf(!hasPostgresServer())('writes of the same records', () => {
  let postgres: TestPostgres

  beforeAll(async () => {
    // It looks for locks that wait for each other at once.
    postgres = await startPostgres({ deadlock_timeout: '10ms' })
  })
  afterAll(() => postgres?.stop())

  test('in opposite orders are all stored', async () => {
    const pool = openPool({ url: postgres.url, max: 2, log: () => undefined })
    const tables = { schema: 'bellhop', partitioned: true }
    await migrate(asSqlPool(pool), tables)
    const store = postgresStore(asSqlPool(pool), tables)
    const keys = Array.from({ length: 200 }, (_, n) => `key ${n}`)
    const put = (order: readonly string[], value: string) => store.write({ put: order.map((key) => ({ key, value })) })
    const writes = Array.from({ length: 40 }, (_, n) => put(n % 2 === 0 ? keys : keys.toReversed(), `value ${n}`))
    await Promise.all(writes)
    const deadlocks = postgres.run(`SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'`)
    expect(Number(deadlocks)).toBeGreaterThan(0)
    expect(new Set(await store.read(keys)).size).toBe(1)
    await endPool(pool)
  })
})
