// Which queue and database are opened together, and which are refused, on servers of the tests' own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Opening } from '../../src/journal/check-journal.ts'
import { openJournalDatabase } from '../../src/journal/journal-database.ts'
import { readJournalUrl } from '../../src/journal/journal-url.ts'
import { moveJournal } from '../../src/journal/move/move-journal.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import { readMove } from '../../src/journal/stores/redis-layout.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../servers/redis-server.ts'

const of = { project: 1, iid: 1 }

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('queue and database', () => {
  let postgres: TestPostgres
  let servers: [TestRedis, TestRedis]
  const closings: (() => Promise<void>)[] = []
  let made = 0

  beforeAll(async () => {
    const [first, second, database] = await Promise.all([startRedis(), startRedis(), startPostgres()])
    ;[servers, postgres] = [[first, second], database]
  })
  afterAll(async () => {
    for (const close of closings.reverse()) await close()
    await Promise.all([postgres, ...servers].map((each) => each.stop()))
  })

  const newDatabase = () => {
    made += 1
    return postgres.database(`check${made}`)
  }
  const inDatabase = (url: string, sql: string) => postgres.run(sql, new URL(url).pathname.slice(1))

  /** A queue on an empty Redis. */
  async function newQueue(server: TestRedis = servers[0]) {
    const queue = await openQueues({ url: server.url })
    closings.push(() => queue.close())
    const { store } = queue
    if (store.kind !== 'redis') throw new Error('the queue is in Redis')
    await store.redis.flushall()
    const journalKeys = async () => (await store.redis.keys(`${store.prefix}:journal:*`)).sort()
    return { queue, redis: store.redis, prefix: store.prefix, journalKeys }
  }

  async function open(url: string, { queue }: { queue: Queues }, opening: Opening = 'open') {
    const database = await openJournalDatabase({ url, queue: queue.store, opening })
    closings.push(() => database.close())
    return { database, journal: await openJournal(database.store) }
  }

  /** An installation that began with the database, which remembers something. */
  async function begunIn(url: string) {
    const installation = await newQueue()
    const { journal } = await open(url, installation)
    await journal.saveMemory(of, { rules: {}, pushes: [] })
    return { ...installation, journal }
  }
  const markOf = ({ prefix }: { prefix: string }) => `${prefix}:journal:moved`

  async function moved(url: string) {
    const installation = await newQueue()
    const { queue, redis, prefix } = installation
    await (await openJournal(queue.store)).saveMemory(of, { rules: {}, pushes: [] })
    const database = await openJournalDatabase({ url, queue: queue.store, opening: 'move' })
    const { shown: to } = readJournalUrl(url)
    expect(await moveJournal({ redis, prefix, database: database.store, to, onProgress: () => undefined })).toBe(true)
    await database.close()
    return installation
  }

  describe('of an installation that began with the database', () => {
    test('a process without BELLHOP_JOURNAL_URL is refused, and writes nothing', async () => {
      const url = newDatabase()
      const installation = await begunIn(url)
      const before = await installation.journalKeys()
      await expect(openJournal(installation.queue.store)).rejects.toThrow(
        `The journal of this installation is in ${readJournalUrl(url).shown}: set BELLHOP_JOURNAL_URL to that database.`,
      )
      expect(await installation.journalKeys()).toEqual(before)
      expect(await (await open(url, installation)).journal.memory(of)).toBeDefined()
    })

    test('and one that starts at the same moment without it, only one works', async () => {
      for (let n = 0; n < 10; n += 1) {
        const [url, installation] = [newDatabase(), await newQueue()]
        const [there, inRedis] = await Promise.allSettled([
          open(url, installation),
          openJournal(installation.queue.store).then(async (journal) => {
            await journal.markProject(1, 'mark', 'x')
            return journal
          }),
        ])
        expect([there.status, inRedis.status].sort()).toEqual(['fulfilled', 'rejected'])
      }
    })

    test('a start that was ended before Redis knew is made up for by the next', async () => {
      const url = newDatabase()
      const installation = await begunIn(url)
      await installation.redis.del(markOf(installation))
      await open(url, installation)
      expect(await readMove(installation.redis, installation.prefix)).toMatchObject({ state: 'moved' })
    })

    test('a journal in Redis too is no reason to delete that of the database', async () => {
      const url = newDatabase()
      const installation = await begunIn(url)
      await installation.redis.del(markOf(installation))
      await openJournal(installation.queue.store)
      await expect(open(url, installation)).rejects.toThrow(/^Both Redis and postgres.*bellhop journal take-over\.$/)
      await expect(open(url, installation, 'move')).rejects.toThrow(
        /holds a journal of this installation already, which a move would delete.*bellhop journal take-over/,
      )
      const { journal } = await open(url, installation, 'take_over')
      expect(await journal.memory(of)).toBeDefined()
      expect(await (await open(url, installation)).journal.memory(of)).toBeDefined()
      await expect(openJournal(installation.queue.store)).rejects.toThrow(/set BELLHOP_JOURNAL_URL/)
    })
  })

  describe('after a move', () => {
    test('the database may have another address, which Redis then names', async () => {
      const url = newDatabase()
      const installation = await moved(url)
      for (const other of [url.replace('127.0.0.1', 'localhost'), url.replace('postgres:', 'postgresql:')]) {
        expect(await (await open(other, installation)).journal.memory(of)).toBeDefined()
        await expect(openJournal(installation.queue.store)).rejects.toThrow(readJournalUrl(other).shown)
      }
    })

    test('another database is refused with the address of the right one, and nothing is made there', async () => {
      const [url, other, foreign] = [newDatabase(), newDatabase(), newDatabase()]
      await open(foreign, await newQueue(servers[1]))
      const installation = await moved(url)
      const { shown } = readJournalUrl(url)
      await expect(open(other, installation)).rejects.toThrow(`holds no journal: that of this one is in ${shown}.`)
      await expect(open(foreign, installation)).rejects.toThrow(
        `holds the journal of another installation: that of this one is in ${shown}.`,
      )
      await expect(open(other, installation, 'move')).rejects.toThrow(
        `is in ${shown}, and not in ${readJournalUrl(other).shown}: only a journal in Redis can be moved.`,
      )
      expect(inDatabase(other, `SELECT count(*) FROM pg_namespace WHERE nspname = 'bellhop'`)).toBe('0')
      // Where it is lost, another one is begun only where one says so.
      await open(other, installation, 'take_over')
      await open(other, installation)
    })

    test('nothing can be moved from a Redis that holds no journal', async () => {
      await expect(open(newDatabase(), await newQueue(), 'move')).rejects.toThrow(/there is nothing to move/)
    })
  })

  describe('two installations in one schema are refused', () => {
    test('where the queue of the first is in the database', async () => {
      const url = newDatabase()
      const queue = await openQueues({ url })
      closings.push(() => queue.close())
      const first = await openJournal(queue.store)
      const other = await newQueue(servers[1])
      await expect(open(url, other)).rejects.toThrow(/holds the journal of another installation/)
      // An earlier version did not say whose its tables are.
      await first.saveMemory(of, { rules: {}, pushes: [] })
      inDatabase(url, 'DELETE FROM bellhop.installation')
      await expect(open(url, other)).rejects.toThrow(/holds the journal of another installation/)
      await openJournal(queue.store)
      // Its queue is not used any more.
      await open(url, other, 'take_over')
      await expect(openJournal(queue.store)).rejects.toThrow(
        /holds the journal of another installation.*BELLHOP_QUEUE_URL/,
      )
    })

    test('where the queue of the second is in the database', async () => {
      const url = newDatabase()
      await begunIn(url)
      const queue = await openQueues({ url })
      closings.push(() => queue.close())
      await expect(openJournal(queue.store)).rejects.toThrow(
        /holds the journal of another installation.*BELLHOP_QUEUE_URL/,
      )
    })

    test('before the tables of the first are updated', async () => {
      const url = newDatabase()
      await open(url, await newQueue(servers[1]))
      inDatabase(url, 'DELETE FROM bellhop.migration WHERE version = (SELECT max(version) FROM bellhop.migration)')
      const tables = () => inDatabase(url, 'SELECT version, applied_at FROM bellhop.migration ORDER BY version')
      const before = tables()
      for (const opening of ['open', 'move'] as const) {
        const other = await newQueue()
        if (opening === 'move') await openJournal(other.queue.store)
        await expect(open(url, other, opening)).rejects.toThrow(/holds the journal of another installation/)
        expect(tables()).toBe(before)
      }
      const queue = await openQueues({ url })
      closings.push(() => queue.close())
      await expect(openJournal(queue.store)).rejects.toThrow(/holds the journal of another installation/)
      expect(tables()).toBe(before)
    })
  })
})
