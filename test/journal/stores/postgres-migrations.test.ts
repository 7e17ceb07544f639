// The start of a new version on a journal that takes longer to migrate than a statement may.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/journal/stores/postgres-migrations.ts'
import { asSqlPool, endPool, openPool } from '../../../src/queue/postgres/pool.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'

describe.skipIf(!hasPostgresServer())('a migration that takes long', () => {
  const tables = { schema: 'bellhop', partitioned: true }
  let postgres: TestPostgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())

  test('ends, and a second process that starts meanwhile waits for it', async () => {
    const timeouts = '?statement_timeout=800&query_timeout=1000'
    const pools = [1, 2].map(() => openPool({ url: `${postgres.url}${timeouts}`, max: 1, log: () => undefined }))
    const holder = openPool({ url: postgres.url, max: 1, log: () => undefined })
    const client = await holder.connect()
    // The first step waits for the schema that another transaction is making.
    await client.query('BEGIN; CREATE SCHEMA bellhop')
    const migrated = Promise.all(pools.map((pool) => migrate(asSqlPool(pool), tables)))
    const waiting = () =>
      Number(postgres.run(`SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND state = 'active'`))
    await eventually(() => expect(waiting()).toBe(2))
    await client.query('SELECT pg_sleep(1.5)')
    expect(waiting()).toBe(2)
    await client.query('ROLLBACK')
    client.release()
    await migrated
    expect(postgres.run('SELECT count(*) FROM bellhop.migration')).toBe('6')
    await Promise.all([...pools, holder].map(endPool))
  })
})
