// The retention of a journal in PostgreSQL that other processes and readers use meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { JournalUnavailable } from '../../src/journal/errors.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import type { RetentionPolicy } from '../../src/journal/records/retention.ts'
import { asSqlPool, endPool, openPool } from '../../src/queue/postgres/pool.ts'
import { eventually } from '../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../servers/postgres-server.ts'
import { DAY_MS, decision, delivery, mergeRequest } from '../suites/journal/records.ts'

describe.skipIf(!hasPostgresServer())('retention in PostgreSQL', () => {
  const tables = { schema: 'bellhop', partitioned: true }
  const pools: ReturnType<typeof openPool>[] = []
  let postgres: TestPostgres
  let databases = 0

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterEach(async () => {
    await Promise.all(pools.splice(0).map(endPool))
  })
  afterAll(() => postgres.stop())

  function emptyDatabase() {
    databases += 1
    const name = `d${databases}`
    return { url: postgres.database(name), run: (sql: string) => postgres.run(sql, name) }
  }
  async function open(url: string, retention?: Partial<RetentionPolicy>) {
    const pool = openPool({ url, max: 5, log: () => undefined })
    pools.push(pool)
    return { pool, journal: await openJournal({ kind: 'postgres', pool: asSqlPool(pool), tables }, retention) }
  }
  // Bodies expire by the clock: from a while on, those of this run have.
  const now = new Date(Date.now() + 60_000)
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()

  test('several processes that delete at once do not fail each other', async () => {
    const { url, run } = emptyDatabase()
    const processes = await Promise.all([1, 2, 3, 4].map(() => open(url, { history: DAY_MS })))
    for (let days = 3; days < 15; days += 1)
      await processes[0]?.journal.saveDelivery(delivery({ receivedAt: daysAgo(days) }), { text: 'x', keepMs: 1 })
    const pruned = await Promise.allSettled(processes.map(({ journal }) => journal.prune(now)))
    expect(pruned.map(({ status }) => status)).toEqual(processes.map(() => 'fulfilled'))
    await processes[0]?.journal.prune(now)
    expect(run(`SELECT relname FROM pg_class WHERE relname ~ '^(body|de.*)_\\d+$' AND relkind = 'r'`)).toBe('')
  })

  test('one process at a time waits for a reader, and so holds up writers', async () => {
    const { url, run } = emptyDatabase()
    const processes = await Promise.all([1, 2, 3, 4].map(() => open(url, { history: DAY_MS })))
    await processes[0]?.journal.saveDelivery(delivery({ receivedAt: daysAgo(5) }))
    const reader = await processes[0]?.pool.connect()
    await reader?.query('BEGIN')
    await reader?.query('SELECT key FROM bellhop.delivery')
    let isOver = false
    const pruned = Promise.allSettled(processes.map(({ journal }) => journal.prune(now))).finally(() => {
      isOver = true
    })
    const waiting: number[] = []
    while (!isOver) {
      waiting.push(
        Number(run(`SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DROP%' AND wait_event_type = 'Lock'`)),
      )
      await pause(50)
    }
    await pruned
    reader?.release(true)
    expect(Math.max(...waiting)).toBe(1)
  })

  test('what cannot be deleted now keeps nothing else', async () => {
    const { url, run } = emptyDatabase()
    const { pool, journal } = await open(url, { history: DAY_MS })
    const old = delivery({ receivedAt: daysAgo(5) })
    const decided = decision(mergeRequest(), daysAgo(5))
    await journal.saveDelivery(old, { text: 'x', keepMs: 1 })
    await journal.saveDecision(decided)
    await journal.saveAudit({ id: 'a', at: daysAgo(5_000), by: 'ann', operation: 'retry_job', to: {} })
    run(`INSERT INTO bellhop.record VALUES ('expired', '1', 1)`)
    const reader = await pool.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT key FROM bellhop.delivery')
    await expect(journal.prune(now)).rejects.toThrow(JournalUnavailable)
    expect(await journal.decision(decided.id)).toBeUndefined()
    expect((await journal.audits({ limit: 1 })).items).toEqual([])
    expect(run(`SELECT key FROM bellhop.record WHERE key = 'expired'`)).toBe('')
    expect(run(`SELECT relname FROM pg_class WHERE relname ~ '^body_\\d+$'`)).toBe('')
    reader.release(true)
    await eventually(() => journal.prune(now))
    expect(await journal.delivery(old.id)).toBeUndefined()
  })

  test('what is too old goes even where the number of records is not found', async () => {
    const { url } = emptyDatabase()
    // PostgreSQL takes no such number.
    const { journal } = await open(url, { history: DAY_MS, most: Number.MAX_VALUE })
    const [old, recent] = [delivery({ receivedAt: daysAgo(5) }), delivery({ receivedAt: daysAgo(0) })]
    await journal.saveDelivery(old)
    await journal.saveDelivery(recent)
    await expect(journal.prune(now)).rejects.toThrow(JournalUnavailable)
    expect(await journal.delivery(old.id)).toBeUndefined()
    expect((await journal.delivery(recent.id))?.id).toBe(recent.id)
  })

  test('whether all bodies of a day have expired is known without reading them', async () => {
    const { url, run } = emptyDatabase()
    const { journal } = await open(url)
    await journal.saveDelivery(delivery({ receivedAt: daysAgo(0) }), { text: 'x', keepMs: DAY_MS })
    const day = Math.floor(now.getTime() / DAY_MS)
    run(`INSERT INTO bellhop.body SELECT 'b' || n, ${day}, repeat('x', 500), n FROM generate_series(1, 20000) n`)
    await journal.prune(now)
    // Its figures are complete once its connections have ended.
    await Promise.all(pools.splice(0).map(endPool))
    const read = `SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'body_${day}'`
    const found = `SELECT sum(idx_scan) FROM pg_stat_user_indexes WHERE indexrelname ~ '^body_${day}_expires'`
    await eventually(() => expect([run(read), run(found)]).toEqual(['0', '1']))
  })

  test('very many expired records are deleted in short statements', async () => {
    const { url, run } = emptyDatabase()
    const { journal } = await open(url)
    run(`INSERT INTO bellhop.record SELECT 'r' || n, '1', n FROM generate_series(1, 25000) n;
         INSERT INTO bellhop.record VALUES ('kept', '1', NULL), ('later', '1', ${now.getTime() + 1});
         INSERT INTO bellhop.list_end SELECT 'l' || n, 1, n FROM generate_series(1, 12000) n;
         INSERT INTO bellhop.list_entry SELECT 'l' || n, 1, 'x' FROM generate_series(1, 12000) n`)
    await journal.prune(now)
    expect(run('SELECT key FROM bellhop.record ORDER BY 1')).toBe('kept\nlater')
    expect(run('SELECT (SELECT count(*) FROM bellhop.list_end), (SELECT count(*) FROM bellhop.list_entry)')).toBe('0|0')
  })
})
