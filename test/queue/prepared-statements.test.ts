// Statements that are parsed once: they answer as PGlite itself does, and a failure spoils nothing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/embedded-postgres/open-database.ts'
import { preparedStatements } from '../../src/queue/prepared-statements.ts'
import { openPrepared } from '../prepared-database.ts'

let opened: OpenDatabase
let db: OpenDatabase['db']
let query: ReturnType<typeof preparedStatements>

beforeAll(async () => {
  opened = await openPrepared()
  db = opened.db
  query = preparedStatements(db)
  await db.exec('CREATE TABLE kept (id int PRIMARY KEY, what text)')
})
afterAll(() => opened.close())

/** Those that PostgreSQL itself knows of. */
async function preparedNow(): Promise<string[]> {
  const { rows } = await db.query<{ statement: string }>("SELECT statement FROM pg_prepared_statements WHERE name <> ''")
  return rows.map(({ statement }) => statement)
}

test('what is asked again is not parsed again', async () => {
  const text = 'SELECT $1::int + 1 AS next'
  for (const given of [1, 2, 3]) expect((await query(text, [given]))?.rows).toEqual([{ next: given + 1 }])
  expect((await preparedNow()).filter((each) => each === text)).toHaveLength(1)
})

test.each<[string, unknown[]]>([
  ['SELECT $1::text AS a, $2::text AS b', [null, undefined]],
  ['SELECT $1::text[] AS a', [['a,b', '"', '{}', '', 'ü']]],
  ['SELECT $1::bigint[] AS a', [[0, 2 ** 53 - 1]]],
  ['SELECT $1::boolean[] AS a', [[true, false]]],
  ['SELECT $1::jsonb AS a', [{ a: [1, 'x', null] }]],
  ['SELECT $1::jsonb AS a', ['{"as":"text"}']],
  ['SELECT $1::timestamptz AS a', [new Date('2026-11-22T08:00:00Z')]],
  ['SELECT $1::float8 AS a, $2::numeric AS b', [0.1, '1.50']],
  ['SELECT $1::bytea AS a', [Uint8Array.of(0, 1, 255)]],
  ['SELECT WHERE $1::boolean', [false]],
])('%s answers as PGlite itself does', async (text, values) => {
  const { rows, fields } = await db.query(text, values)
  expect(await query(text, values)).toMatchObject({ rows, fields })
})

test('it tells how many rows were written', async () => {
  const result = await query('INSERT INTO kept SELECT n, $1 FROM generate_series(1, 3) AS n', ['x'])
  expect(result?.affectedRows).toBe(3)
})

test.each([
  ['that cannot be parsed', 'SELEC $1::int', [1], '42601'],
  ['with a value that does not fit', 'SELECT $1::int', ['one'], '22P02'],
  ['that fails while it runs', 'SELECT 1 / $1::int', [0], '22012'],
])('a statement %s throws what PostgreSQL says, and the next one is answered', async (_name, text, values, code) => {
  await expect(query(text, values)).rejects.toMatchObject({ code })
  await expect(query(text, values)).rejects.toMatchObject({ code })
  expect((await query('SELECT $1::int AS n', [7]))?.rows).toEqual([{ n: 7 }])
})

test('what fails within a transaction is rolled back with it, and what was parsed there stays good', async () => {
  const text = 'INSERT INTO kept VALUES ($1, $2)'
  await db.exec('BEGIN')
  await query(text, [11, 'lost'])
  await expect(query(text, [11, 'twice'])).rejects.toMatchObject({ code: '23505' })
  await expect(query('SELECT $1::int AS late', [1])).rejects.toMatchObject({ code: '25P02' })
  await db.exec('ROLLBACK')
  await query(text, [11, 'kept'])
  expect((await query('SELECT what FROM kept WHERE id = $1', [11]))?.rows).toEqual([{ what: 'kept' }])
})

test('those that were asked at once each get their own answer', async () => {
  const asked = Array.from({ length: 50 }, (_, n) => query(`SELECT $1::int AS n${n % 7}`, [n]))
  const rows = (await Promise.all(asked)).map((result) => Object.values(result?.rows[0] ?? {}))
  expect(rows).toEqual(asked.map((_, n) => [n]))
})

test('what ran often is parsed anew, and so planned by what the tables hold by then', async () => {
  await db.exec('CREATE TABLE grows (id int PRIMARY KEY)')
  const text = 'SELECT id FROM grows WHERE id = ANY($1::int[])'
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) await query(text, [[1]])
  }
  const nameNow = async () => {
    const { rows } = await db.query<{ name: string }>('SELECT name FROM pg_prepared_statements WHERE statement = $1', [text])
    return rows.map(({ name }) => name)
  }
  await ask(1)
  const [first, ...others] = await nameNow()
  await ask(499)
  expect([others, await nameNow()]).toEqual([[], [first]])
  await ask(1)
  expect(await nameNow()).toEqual([expect.not.stringMatching(`^${first}$`)])
})

test('of very many the oldest are forgotten, and can be asked again', async () => {
  const of = (n: number) => `SELECT $1::int AS many_${n}`
  for (let n = 0; n < 250; n += 1) await query(of(n), [n])
  const kept = (await preparedNow()).filter((text) => text.includes('many_'))
  expect(kept.length).toBeLessThanOrEqual(200)
  expect(kept).toContain(of(249))
  expect((await query(of(0), [5]))?.rows).toEqual([{ many_0: 5 }])
})
