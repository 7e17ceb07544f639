// The journal in PostgreSQL next to a queue in Redis, on servers of the tests' own.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JournalTooNew, JournalUnavailable } from '../../src/journal/errors.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { type OpenJournal, openJournal, openJournalOf } from '../../src/journal/open-journal.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../servers/redis-server.ts'
import { journalSuite } from '../suites/journal/journal.suite.ts'
import { DAY_MS, decision, delivery, mergeRequest } from '../suites/journal/records.ts'

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('PostgreSQL next to Redis', () => {
  let redis: TestRedis
  let postgres: TestPostgres
  let queue: Queues
  const opened: OpenJournal[] = []
  let database: OpenJournal
  let journal: Journal
  let databases = 0

  /** For a new installation: the queue forgets its former one. */
  const emptyDatabase = async () => {
    if (queue.store.kind !== 'redis') throw new Error('the queue is in Redis')
    await queue.store.redis.flushall()
    databases += 1
    return postgres.database(`d${databases}`)
  }
  const open = async (url: string) => {
    const one = await openJournalOf({ url, queue: queue.store })
    opened.push(one)
    return one
  }

  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
    queue = await openQueues({ url: redis.url })
    database = await open(await emptyDatabase())
    journal = database.journal
  })

  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()))
    await queue.close()
    await Promise.all([redis.stop(), postgres.stop()])
  })

  journalSuite(
    () => journal,
    (retention) => openJournal(database.store, retention),
    { byDays: true },
  )

  describe('history', () => {
    const tablesOf = (url: string) =>
      postgres
        .run(`SELECT relname FROM pg_class WHERE relname ~ '_\\d+$' AND relkind = 'r' ORDER BY 1`, nameIn(url))
        .split('\n')
        .filter((each) => each !== '')
    const at = (day: string) => `${day}T12:00:00.000Z`
    const later = (days: number) => new Date(Date.now() + days * DAY_MS)
    const dayOf = (time: string) => Math.floor(Date.parse(time) / DAY_MS)

    test('has a partition for each day, which is dropped whole when its retention is over', async () => {
      const url = await emptyDatabase()
      const one = await openJournal((await open(url)).store, { history: 10 * DAY_MS })
      const today = dayOf(new Date().toISOString())
      const partitions = (first: number, last: number) =>
        ['decisions', 'deliveries'].flatMap((table) =>
          Array.from({ length: last - first + 1 }, (_, n) => `${table}_${first + n}`),
        )
      expect(tablesOf(url)).toEqual(partitions(today, today + 2))
      // Each day makes the next ones.
      await one.prune(later(1))
      await one.prune(later(2))
      expect(tablesOf(url)).toEqual(partitions(today, today + 4))
      const [kept, old] = [later(2), later(0)].map((each) => delivery({ receivedAt: each.toISOString() }))
      for (const each of [kept, old]) {
        if (each === undefined) continue
        await one.deliveries.save(each, { body: { text: 'body', keepMs: 60_000 } })
        await one.decisions.save({ ...decision(mergeRequest(), each.receivedAt), deliveries: [each.id] })
      }
      expect(postgres.run(`SELECT count(*) FROM bellhop.deliveries_${today}`, nameIn(url))).toBe('1')
      await one.prune(later(11))
      expect(tablesOf(url).filter((name) => Number(/\d+$/.exec(name)?.[0]) <= today)).toEqual([])
      expect((await one.deliveries.list({ limit: 10 })).items.map(({ id }) => id)).toEqual([kept?.id])
      expect((await one.decisions.list({ limit: 10 })).items.map((each) => each.at)).toEqual([kept?.receivedAt])
    })

    test('of a day without a partition is stored, found and deleted all the same', async () => {
      const url = await emptyDatabase()
      const one = await openJournal((await open(url)).store, { history: 10 * DAY_MS })
      const [far, old] = [later(9), later(-9)].map((each) => delivery({ receivedAt: each.toISOString() }))
      for (const each of [far, old]) if (each !== undefined) await one.deliveries.save(each)
      expect((await one.deliveries.list({ limit: 10 })).items.map(({ id }) => id)).toEqual([far?.id, old?.id])
      // That day cannot have a partition now: its row is among the others.
      await one.prune(later(8))
      expect(tablesOf(url)).not.toContain(`deliveries_${dayOf(later(9).toISOString())}`)
      expect((await one.deliveries.list({ limit: 10 })).items.map(({ id }) => id)).toEqual([far?.id])
    })

    test('a new day that many processes begin at once loses nothing', async () => {
      const url = await emptyDatabase()
      const processes = await Promise.all(Array.from({ length: 6 }, async () => openJournal((await open(url)).store)))
      const saved = processes.flatMap((each) =>
        ['2026-11-20', '2026-11-21'].map((day) => ({ each, delivery: delivery({ receivedAt: at(day) }) })),
      )
      await Promise.all(saved.map(({ each, delivery: one }) => each.deliveries.save(one)))
      const [first] = processes
      const found = await Promise.all(saved.map(({ delivery: { id } }) => first?.deliveries.find(id)))
      expect(found.filter((each) => each !== undefined)).toHaveLength(12)
    })

    test('a reader that takes long holds up no writer, and its day is dropped another time', async () => {
      const url = await emptyDatabase()
      const one = await open(url)
      const own = await openJournal(one.store, { history: DAY_MS })
      const [old, recent] = [
        delivery({ receivedAt: later(0).toISOString() }),
        delivery({ receivedAt: later(2).toISOString() }),
      ]
      await own.deliveries.save(old)
      const reader = await one.store.pool.connect()
      await reader.query('BEGIN')
      await reader.query('SELECT id FROM bellhop.deliveries')
      await expect(own.prune(later(2))).rejects.toThrow(JournalUnavailable)
      await own.deliveries.save(recent)
      await reader.query('COMMIT')
      reader.release()
      await own.prune(later(2))
      expect(await own.deliveries.find(old.id)).toBeUndefined()
      expect((await own.deliveries.find(recent.id))?.id).toBe(recent.id)
    })
  })

  describe('a database that cannot be used is refused in one line without the password', () => {
    const refusal = async (url: string) => {
      const thrown = await openJournalOf({ url, queue: queue.store }).then(
        (one) => one.close(),
        (error: unknown) => error,
      )
      if (!(thrown instanceof Error)) throw new Error('it was opened')
      expect(thrown.message).not.toMatch(/\n|test-password|not-it/)
      return thrown
    }

    test('with a wrong password, a missing database, or nobody there', async () => {
      const wrong = postgres.url.replace('test-password', 'not-it')
      expect(await refusal(wrong)).toBeInstanceOf(JournalUnavailable)
      expect((await refusal(wrong)).message).toMatch(
        /^The journal at postgres:\/\/127.0.0.1:\d+\/postgres cannot be opened: password/,
      )
      expect((await refusal(postgres.url.replace(/postgres$/, 'missing'))).message).toMatch(/"missing" does not exist/)
      expect((await refusal('postgres://u:not-it@127.0.0.1:1/x')).message).toMatch(/ECONNREFUSED/)
    })

    test('of another version of Bellhop', async () => {
      const url = await emptyDatabase()
      await open(url)
      postgres.run('UPDATE bellhop.journal SET version = 1000', nameIn(url))
      const error = await refusal(url)
      expect(error).toBeInstanceOf(JournalTooNew)
      expect(error.message).toMatch(/another version of Bellhop.*start that version again/)
    })
  })

  test('many that start at once in an empty database make its tables once', async () => {
    const url = await emptyDatabase()
    await Promise.all(Array.from({ length: 5 }, () => open(url)))
    expect(postgres.run('SELECT count(*) FROM bellhop.journal', nameIn(url))).toBe('1')
  })

  test('a start that is ended in the middle leaves no half of its tables', async () => {
    const url = await emptyDatabase()
    postgres.run('CREATE SCHEMA bellhop; CREATE TYPE bellhop.audit AS ENUM ()', nameIn(url))
    await expect(open(url)).rejects.toThrow(/audit/)
    const left = postgres.run(`SELECT count(*) FROM pg_tables WHERE schemaname = 'bellhop'`, nameIn(url))
    expect(left).toBe('0')
  })

  test('a database that goes down is a typed error in time, and what was stored is there when it is back', async () => {
    const own = await startPostgres()
    await emptyDatabase()
    const one = await open(own.url)
    const its = await openJournal(one.store)
    await its.marks.write(1, 'mark', 'kept')
    await own.kill()
    const from = performance.now()
    await expect(its.marks.read(1, 'mark')).rejects.toThrow(JournalUnavailable)
    await expect(one.ping?.()).rejects.toThrow(JournalUnavailable)
    expect(performance.now() - from).toBeLessThan(15_000)
    await own.start()
    await eventually(async () => expect(await its.marks.read(1, 'mark')).toBe('kept'))
    await own.stop()
  })

  test('a schema may be named like a word of SQL, and is the same at the next start', async () => {
    const url = `${await emptyDatabase()}?schema=user`
    const its = await openJournal((await open(url)).store)
    await its.marks.write(1, 'mark', 'kept')
    await its.deliveries.save(delivery(), { body: { text: 'body', keepMs: 60_000 } })
    const again = await openJournal((await open(url)).store)
    expect(await again.marks.read(1, 'mark')).toBe('kept')
    await again.prune(new Date(Date.now() + 400 * DAY_MS))
    expect((await again.deliveries.list({ limit: 9 })).items).toEqual([])
    expect(postgres.run('SELECT count(*) FROM "user".journal', nameIn(url))).toBe('1')
  })

  test('a socket of the same machine is an address', async () => {
    await emptyDatabase()
    const sockets = mkdtempSync(join(tmpdir(), 'bellhop-socket-'))
    chmodSync(sockets, 0o777)
    const own = await startPostgres({ unix_socket_directories: sockets })
    onTestFinished(async () => {
      await own.stop()
      rmSync(sockets, { recursive: true })
    })
    const { port, pathname } = new URL(own.url)
    const one = await open(`postgres://bellhop:test-password@${pathname}?host=${sockets}&port=${port}`)
    await one.ping?.()
    expect(own.run('SELECT count(*) FROM pg_stat_activity WHERE client_port = -1')).toBe('1')
    await one.close()
    opened.pop()
  })

  test('a user that may make no schemas opens tables of its own in a schema that is there', async () => {
    const url = new URL(await emptyDatabase())
    const own = nameIn(url.href)
    postgres.run(`CREATE USER ${own}_user PASSWORD 'its'; CREATE SCHEMA bellhop AUTHORIZATION ${own}_user`, own)
    Object.assign(url, { username: `${own}_user`, password: 'its' })
    for (let turn = 0; turn < 2; turn += 1) await open(url.href)
    const its = await openJournal((await open(url.href)).store)
    await its.marks.write(1, 'mark', 'kept')
    expect(await its.marks.read(1, 'mark')).toBe('kept')
  })

  test('a database that only reads answers no ping, even where nothing was written', async () => {
    const url = await emptyDatabase()
    const one = await open(url)
    await one.ping?.()
    postgres.run(`ALTER DATABASE "${nameIn(url)}" SET default_transaction_read_only = on`)
    postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${nameIn(url)}'`)
    await eventually(() => expect(one.ping?.()).rejects.toMatchObject({ trouble: 'read_only' }))
  })
})

const nameIn = (url: string) => new URL(url).pathname.slice(1)
