// A pool of connections to a PostgreSQL that cuts them, or takes too long.
import { endPool, openPool } from '../../../src/queue/postgres/pool.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'

/** PostgreSQL's code for a statement that was cancelled. */
const CANCELLED = '57014'

describe.skipIf(!hasPostgresServer())('a pool', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  /** Ends with the test. */
  function open(max: number, log: (message: string) => void = () => undefined) {
    const pool = openPool({ url: postgres.url, max, log })
    onTestFinished(() => endPool(pool))
    return pool
  }

  test('a connection in use that is cut is reported, and others take its place', async () => {
    const lost: string[] = []
    const pool = open(2, (message) => lost.push(message))
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
  })

  test('a statement that takes too long is cancelled by the server: it is not run later, and its connection ends', async () => {
    postgres.run('CREATE TABLE stored (what text)')
    const pool = open(2)
    const holder = await pool.connect()
    await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE stored')
    const waiting = pool.query(`INSERT INTO stored VALUES ('late')`)
    await expect(waiting).rejects.toMatchObject({ code: CANCELLED })
    holder.release(true)
    await eventually(() =>
      expect(
        postgres.run(`SELECT query FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'active'
                        AND pid <> pg_backend_pid()`),
      ).toBe(''),
    )
    expect(postgres.run('SELECT count(*) FROM stored')).toBe('0')
  })

  test('a statement waits for a connection as long as others need theirs', async () => {
    const pool = open(1)
    const slow = pool.query('SELECT pg_sleep(1.5)')
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await slow
  })

  test('the server ends the transaction of a process that vanished, with its locks', async () => {
    const { rows } = await open(1).query('SHOW idle_in_transaction_session_timeout')
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }])
  })
})
