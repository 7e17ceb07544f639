// Statements of the journal on a server: planned once for a connection, and no more of them than the flow has.
import { preparing } from '../../../src/journal/open-journal.ts'
import { asSqlPool, endPool, openPool } from '../../../src/queue/postgres/pool.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'

describe.skipIf(!hasPostgresServer())('a statement with values', () => {
  let postgres: TestPostgres
  let connection: ReturnType<typeof openPool>
  beforeAll(async () => {
    postgres = await startPostgres()
    // One connection, so that its prepared statements can be read.
    connection = openPool({ url: postgres.database('prepared'), max: 1, log: () => undefined })
  })
  afterAll(async () => {
    await endPool(connection)
    await postgres.stop()
  })
  const preparedLike = async (like: string) => {
    const text = `SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE '${like}'`
    return (await connection.query<{ count: number }>(text)).rows[0]?.count
  }

  test('is prepared once, also within a transaction, and gives the rows of its values', async () => {
    const pool = preparing(asSqlPool(connection))
    const text = 'SELECT $1::int + 1 AS next'
    expect((await pool.query(text, [1])).rows).toEqual([{ next: 2 }])
    const client = await pool.connect()
    expect((await client.query(text, [2])).rows).toEqual([{ next: 3 }])
    client.release()
    expect(await preparedLike('SELECT $1::int + 1 AS next')).toBe(1)
  })

  test('beyond a hundred of them runs all the same, and is not prepared', async () => {
    const pool = preparing(asSqlPool(connection))
    for (let n = 0; n < 120; n += 1)
      expect((await pool.query(`SELECT $1::int + ${n} AS many`, [1])).rows).toEqual([{ many: 1 + n }])
    expect(await preparedLike('SELECT $1::int + % AS many')).toBe(100)
  })

  test('without values may be several, and is not prepared', async () => {
    const pool = preparing(asSqlPool(connection))
    await pool.query('SELECT 1; SELECT 2 AS several')
    expect(await preparedLike('%AS several')).toBe(0)
  })
})
