// A pool of connections to a PostgreSQL that cuts them.
import { expect, test } from 'vitest'
import { endPool, openPool } from '../../../src/queue/postgres/pool.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgresServer, startPostgres } from '../../servers/postgres-server.ts'

test.skipIf(!hasPostgresServer())(
  'a connection in use that is cut is reported, and others take its place',
  async () => {
    const postgres = await startPostgres()
    const lost: string[] = []
    const pool = openPool({ url: postgres.url, max: 2, log: (message) => lost.push(message) })
    const client = await pool.connect()
    await client.query('BEGIN')
    postgres.run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    // Without a listener of its own the client would end the process.
    await eventually(() =>
      expect(lost.join()).toMatch(/^The connection to postgres:\/\/127.0.0.1:\d+\/postgres is lost/),
    )
    expect(lost.join()).not.toContain('test-password')
    client.release(true)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await endPool(pool)
    await postgres.stop()
  },
)
