// The pool over one session: transactions are isolated, and a listening client blocks nobody.
import type { OpenDatabase } from '../../../src/embedded-postgres/open-database.ts'
import { type ListeningPool, pglitePool } from '../../../src/queue/postgres/pglite-pool.ts'
import { eventually } from '../../eventually.ts'
import { openPrepared } from '../../prepared-database.ts'

let opened: OpenDatabase
let pool: ListeningPool

beforeAll(async () => {
  opened = await openPrepared()
  pool = pglitePool(opened.db)
  await pool.query('CREATE TABLE seen (what text)')
})

afterAll(async () => {
  await pool.end()
  await opened.close()
})

async function seen(): Promise<string[]> {
  return (await pool.query<{ what: string }>('SELECT what FROM seen ORDER BY what')).rows.map(({ what }) => what)
}

test('what others ask during a transaction runs after it, and is not rolled back with it', async () => {
  await pool.query('DELETE FROM seen')
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('INSERT INTO seen VALUES ($1)', ['inside'])
  const outside = pool.query('INSERT INTO seen VALUES ($1)', ['outside'])
  await client.query('ROLLBACK')
  await outside
  client.release()
  expect(await seen()).toEqual(['outside'])
})

test('a client that is released within a transaction gives it up', async () => {
  await pool.query('DELETE FROM seen')
  const client = await pool.connect()
  await client.query('  begin')
  await client.query('INSERT INTO seen VALUES ($1)', ['lost'])
  client.release()
  expect(await seen()).toEqual([])
})

test('a failed statement neither ends the transaction nor blocks the others for good', async () => {
  await pool.query('DELETE FROM seen')
  const client = await pool.connect()
  await client.query('BEGIN')
  await expect(client.query('SELECT 1 / 0')).rejects.toThrow(/division/)
  await client.query('ROLLBACK')
  await expect(pool.query('nonsense')).rejects.toThrow()
  expect(await seen()).toEqual([])
  client.release()
})

test('a client that only listens holds nothing, and hears what others notify', async () => {
  const client = await pool.connect()
  const heard: unknown[] = []
  client.on('notification', (message) => heard.push(message))
  await client.query('-- comments come first\n-- in these statements\nLISTEN news;')
  await pool.query("SELECT pg_notify('news', 'hello')")
  await eventually(() => expect(heard).toEqual([{ channel: 'news', payload: 'hello', processId: 0 }]))
  client.release()
  await pool.query("SELECT pg_notify('news', 'again')")
  expect(heard).toHaveLength(1)
})

test('transactions take turns in the order of asking', async () => {
  const order: number[] = []
  const transaction = async (n: number) => {
    const client = await pool.connect()
    await client.query('BEGIN')
    order.push(n)
    await client.query('SELECT 1')
    order.push(n)
    await client.query('COMMIT')
    client.release()
  }
  await Promise.all([1, 2, 3].map(transaction))
  expect(order).toEqual([1, 1, 2, 2, 3, 3])
})

test('many statements in a row leave turns of the event loop for requests, timers and signals', async () => {
  let turns = 0
  let isOver = false
  const listen = () => {
    turns += 1
    if (!isOver) setImmediate(listen)
  }
  setImmediate(listen)
  await Promise.all(Array.from({ length: 100 }, () => pool.query('SELECT $1::int', [1])))
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(99)
})
