// The retention of a journal in PostgreSQL that other processes and readers use meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { JournalUnavailable } from '../../src/journal/errors.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import type { RetentionPolicy } from '../../src/journal/retention.ts'
import { asSqlPool, endPool, openPool } from '../../src/queue/postgres/pool.ts'
import { eventually } from '../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../servers/postgres-server.ts'
import { DAY_MS, decision, delivery, mergeRequest, ruleFile, savePush } from '../suites/journal/records.ts'

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
    for (let days = 15; days > 3; days -= 1) {
      await processes[0]?.journal.prune(new Date(daysAgo(days)))
      await processes[0]?.journal.deliveries.save(delivery({ receivedAt: daysAgo(days) }))
    }
    const pruned = await Promise.allSettled(processes.map(({ journal }) => journal.prune(now)))
    expect(pruned.map(({ status }) => status)).toEqual(processes.map(() => 'fulfilled'))
    await processes[0]?.journal.prune(now)
    expect(run(`SELECT count(*) FROM bellhop.deliveries`)).toBe('0')
    const first = Math.floor(Date.parse(daysAgo(1)) / DAY_MS)
    const partitions = run(`SELECT relname FROM pg_class WHERE relname ~ '^deliveries_\\d+$' AND relkind = 'r'`)
    expect(partitions.split('\n').filter((name) => Number(/\d+/.exec(name)?.[0]) < first)).toEqual([])
  })

  test('one process at a time waits for a reader, and so holds up writers', async () => {
    const { url, run } = emptyDatabase()
    const processes = await Promise.all([1, 2, 3, 4].map(() => open(url, { history: DAY_MS })))
    await processes[0]?.journal.prune(new Date(daysAgo(5)))
    await processes[0]?.journal.deliveries.save(delivery({ receivedAt: daysAgo(5) }))
    const reader = await processes[0]?.pool.connect()
    await reader?.query('BEGIN')
    await reader?.query('SELECT id FROM bellhop.deliveries')
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
    const [old, recent] = [delivery({ receivedAt: daysAgo(5) }), delivery({ receivedAt: daysAgo(0) })]
    const decided = decision(mergeRequest(), daysAgo(5))
    await journal.prune(new Date(daysAgo(5)))
    await journal.deliveries.save(old)
    await journal.deliveries.save(recent, { body: { text: 'x', keepMs: 1 } })
    await journal.decisions.save(decided)
    await journal.audit.save({ id: 'a', at: daysAgo(5_000), by: 'ann', operation: 'retry_job', to: {} })
    await journal.marks.write(1, 'expired', 'x', 1)
    const reader = await pool.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT id FROM bellhop.deliveries')
    await expect(journal.prune(now)).rejects.toThrow(JournalUnavailable)
    expect(await journal.decisions.find(decided.id)).toBeUndefined()
    expect((await journal.audit.list({ limit: 1 })).items).toEqual([])
    expect(run('SELECT count(*) FROM bellhop.marks')).toBe('0')
    expect(run('SELECT count(*) FROM bellhop.deliveries WHERE body IS NOT NULL')).toBe('0')
    reader.release(true)
    await eventually(() => journal.prune(now))
    expect(await journal.deliveries.find(old.id)).toBeUndefined()
  })

  test('very many expired rows are deleted in short statements', async () => {
    const { url, run } = emptyDatabase()
    const { journal } = await open(url)
    run(`INSERT INTO bellhop.marks SELECT 1, 'm' || n, '1', now() FROM generate_series(1, 25000) n;
         INSERT INTO bellhop.marks VALUES (1, 'later', '1', now() + interval '1 day')`)
    await journal.prune(now)
    expect(run('SELECT mark FROM bellhop.marks')).toBe('later')
  })

  test('rule files stay while they are saved again, and pushes while a merge request of their branch changes', async () => {
    const { url, run } = emptyDatabase()
    const { journal } = await open(url)
    const [changed, left] = [mergeRequest(), mergeRequest()]
    for (const of of [changed, left]) {
      const origin = { project: of.project, branch: 'b' }
      await journal.ruleFiles.save(of.project, [ruleFile(of)])
      await journal.mergeRequests.save(of, { origin })
      await savePush(journal, origin)
    }
    run(`UPDATE bellhop.rule_files SET read_at = now() - interval '91 days';
         UPDATE bellhop.merge_requests SET changed_at = now() - interval '91 days' WHERE project = ${left.project};
         UPDATE bellhop.pushes SET received_at = now() - interval '91 days'`)
    await journal.ruleFiles.save(changed.project, [ruleFile(changed)])
    await journal.prune(now)
    const found = `SELECT project FROM bellhop.rule_files UNION ALL SELECT project FROM bellhop.pushes`
    expect(run(found)).toBe(`${changed.project}\n${changed.project}`)
  })
})
