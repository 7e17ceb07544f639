// Which journal a queue is used with, and which are refused, on servers of the tests' own.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JournalMisconfigured } from '../../src/journal/errors.ts'
import { openJournalDatabase } from '../../src/journal/journal-database.ts'
import { readJournalUrl } from '../../src/journal/journal-url.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues, RedisStore } from '../../src/queue/types.ts'
import { fencedCommands } from '../docs/commands.ts'
import { readPage } from '../docs/pages.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../servers/redis-server.ts'

const of = { service: 's', project: 1, iid: 1 }

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('a queue in Redis', () => {
  let postgres: TestPostgres
  let redis: TestRedis
  let queue: Queues
  let store: RedisStore
  const closings: (() => Promise<void>)[] = []
  let made = 0

  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
    queue = await openQueues({ url: redis.url })
    if (queue.store.kind !== 'redis') throw new Error('the queue is in Redis')
    store = queue.store
  })
  beforeEach(async () => {
    await store.redis.flushall()
  })
  afterAll(async () => {
    for (const close of closings) await close()
    await queue.close()
    await Promise.all([postgres.stop(), redis.stop()])
  })

  const newDatabase = () => {
    made += 1
    return postgres.database(`id${made}`)
  }
  const inDatabase = (url: string, sql: string) => postgres.run(sql, new URL(url).pathname.slice(1))
  const idIn = (url: string) => inDatabase(url, 'SELECT id FROM bellhop.journal')
  const shown = (url: string) => readJournalUrl(url).shown

  async function open(url: string) {
    const database = await openJournalDatabase({ url, queue: queue.store })
    closings.push(() => database.close())
    return openJournal(database.store)
  }

  /** The queue has begun with the journal in a new database, which remembers something. */
  async function begun(): Promise<string> {
    const url = newDatabase()
    await (await open(url)).saveMemory(of, { rules: {}, pushes: [] })
    return url
  }

  async function refusal(opening: Promise<unknown>): Promise<string> {
    const thrown = await opening.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(thrown).toBeInstanceOf(JournalMisconfigured)
    const { message } = thrown as JournalMisconfigured
    expect(message).not.toMatch(/\n|test-password/)
    return message
  }

  test('with a journal in a database is refused without BELLHOP_JOURNAL_URL, and nothing is written', async () => {
    const url = await begun()
    const keys = () => store.redis.keys('*')
    const before = await keys()
    expect(await refusal(openJournal(queue.store))).toBe(
      `The journal of this queue is ${idIn(url)} at ${shown(url)}, not the one in Redis: set BELLHOP_JOURNAL_URL to the ` +
        'former, or give this process a queue of its own (BELLHOP_QUEUE_URL). Where the former is lost, delete the key ' +
        'bellhop:journal:id in Redis.',
    )
    expect((await keys()).sort()).toEqual(before.sort())
    expect(await (await open(url)).memory(of)).toBeDefined()
  })

  test('with a journal in Redis is refused with a database', async () => {
    const journal = await openJournal(queue.store)
    await journal.saveMemory(of, { rules: {}, pushes: [] })
    const url = newDatabase()
    expect(await refusal(open(url))).toMatch(
      `is the one in Redis, not the one at ${shown(url)}, which is empty: leave BELLHOP_JOURNAL_URL out`,
    )
    expect(await (await openJournal(queue.store)).memory(of)).toBeDefined()
  })

  test('is refused with the journal of another, both named; nothing is made in a database that is empty', async () => {
    const foreign = await begun()
    const id = idIn(foreign)
    await store.redis.flushall()
    const [url, empty] = [await begun(), newDatabase()]
    expect(await refusal(open(foreign))).toMatch(
      `is ${idIn(url)} at ${shown(url)}, not ${id} at ${shown(foreign)}: set`,
    )
    expect(await refusal(open(empty))).toMatch(`is ${idIn(url)} at ${shown(url)}, not the one at ${shown(empty)}`)
    expect(inDatabase(empty, `SELECT count(*) FROM pg_namespace WHERE nspname = 'bellhop'`)).toBe('0')
  })

  test('finds its journal at another address of the same database', async () => {
    const url = await begun()
    for (const other of [url.replace('127.0.0.1', 'localhost'), url.replace('postgres:', 'postgresql:')])
      expect(await (await open(other)).memory(of)).toBeDefined()
  })

  test('that two processes begin at once with different journals is used with one of them', async () => {
    for (let n = 0; n < 3; n += 1) {
      await store.redis.flushall()
      const opened = await Promise.allSettled([open(newDatabase()), open(newDatabase()), openJournal(queue.store)])
      expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test('that lost everything is used with the journal that is left', async () => {
    const url = await begun()
    await store.redis.flushall()
    expect(await (await open(url)).memory(of)).toBeDefined()
    expect(await refusal(openJournal(queue.store))).toMatch(idIn(url))
  })

  test('whose journal is lost begins another once the key that the message names is deleted, as docs/journal.md says', async () => {
    const lost = await begun()
    const url = newDatabase()
    const [, key = ''] = /delete the key (\S+) in Redis/.exec(await refusal(open(url))) ?? []
    const command = 'redis-cli -u redis://127.0.0.1:6379 DEL bellhop:journal:id'
    expect(fencedCommands(readPage('journal.md'))).toContain(command)
    expect(command).toContain(` DEL ${key}`)
    await store.redis.del(key)
    expect(await (await open(url)).memory(of)).toBeUndefined()
    expect(await refusal(open(lost))).toMatch(`is ${idIn(url)}`)
  })
})
