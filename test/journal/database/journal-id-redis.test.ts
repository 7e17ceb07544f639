// Which journal a queue in Redis is used with, and which are refused, on servers of the tests' own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readJournalUrl } from '../../../src/journal/database/journal-url.ts'
import { JournalMisconfigured, JournalUnavailable } from '../../../src/journal/errors.ts'
import { type OpenJournal, openJournalOf } from '../../../src/journal/open-journal.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { Queues, StoreConnection } from '../../../src/queue/types.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { fencedCommands, readPage } from '../../docs/pages.ts'
import { prepareDatabase } from '../../prepared-database.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'

const of = { project: 1, iid: 1 }

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('a queue in Redis', () => {
  const { folder } = ownFolder()
  let postgres: TestPostgres
  let redis: TestRedis
  let queue: Queues
  let store: Extract<StoreConnection, { kind: 'redis' }>
  const opened: OpenJournal[] = []
  let made = 0

  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
    queue = await openQueues({ url: redis.url })
    if (queue.store.kind !== 'redis') throw new Error('the queue is in Redis')
    store = queue.store
  })
  beforeEach(async () => {
    for (const { close } of opened.splice(0)) await close()
    await store.redis.flushall()
  })
  afterAll(async () => {
    for (const { close } of opened) await close()
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
    const one = await openJournalOf({ url, queue: store })
    opened.push(one)
    return one.journal
  }

  /** The queue has begun with the journal in a new database, which remembers something. */
  async function begun(url = newDatabase()): Promise<string> {
    await (await open(url)).mergeRequests.save(of, { memory: { rules: {}, pushes: [] } })
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

  test('is refused with the journal of another, both named; nothing is made in a database that is empty', async () => {
    const foreign = await begun()
    const id = idIn(foreign)
    await store.redis.flushall()
    const [url, empty] = [await begun(), newDatabase()]
    expect(await refusal(open(foreign))).toBe(
      `The journal of this queue is ${idIn(url)} at ${shown(url)}, not ${id} at ${shown(foreign)}: set BELLHOP_JOURNAL_URL ` +
        'to the former, or give this process a queue of its own (BELLHOP_QUEUE_URL). Where the former is lost, delete the key ' +
        'bellhop:journal:id in Redis.',
    )
    expect(await refusal(open(empty))).toMatch(`is ${idIn(url)} at ${shown(url)}, not the one at ${shown(empty)}`)
    expect(inDatabase(empty, `SELECT count(*) FROM pg_namespace WHERE nspname = 'bellhop'`)).toBe('0')
  })

  test('is refused with an embedded journal where it has one in PostgreSQL, and no directory is made', async () => {
    const url = await begun()
    const directory = join(folder, 'none')
    expect(await refusal(open(`embedded:${directory}`))).toMatch(
      `not the one at embedded:${directory}, which is empty: set`,
    )
    expect(existsSync(directory)).toBe(false)
    expect(await (await open(url)).mergeRequests.memory(of)).toBeDefined()
  })

  test('with an embedded journal finds it again; a second process on its directory, and another journal, are refused', async () => {
    const directory = await prepareDatabase(join(folder, 'first'))
    const url = await begun(`embedded:${directory}`)
    expect(await refusal(open(url))).toBe(
      `The journal directory ${directory} is in use by process ${process.pid}. Stop that process, or let both share a ` +
        'journal in PostgreSQL (BELLHOP_JOURNAL_URL=postgres://…).',
    )
    for (const { close } of opened.splice(0)) await close()
    expect(await (await open(url)).mergeRequests.memory(of)).toBeDefined()
    expect(await refusal(open(newDatabase()))).toMatch(
      / at embedded:.*first, not .* the former, which one process alone/,
    )
  })

  test('opens no embedded journal in a directory that cannot be written', async () => {
    await expect(open('embedded:/dev/null/none')).rejects.toThrow(JournalUnavailable)
    await expect(open('embedded:/dev/null/none')).rejects.toThrow(
      /^The journal directory \/dev\/null\/none cannot.*_JOURNAL_URL=/,
    )
  })

  test('finds its journal at another address of the same database', async () => {
    const url = await begun()
    for (const other of [url.replace('127.0.0.1', 'localhost'), url.replace('postgres:', 'postgresql:')])
      expect(await (await open(other)).mergeRequests.memory(of)).toBeDefined()
  })

  test('that two processes begin at once with different journals is used with one of them', async () => {
    for (let n = 0; n < 3; n += 1) {
      await store.redis.flushall()
      const all = await Promise.allSettled([open(newDatabase()), open(newDatabase()), open(newDatabase())])
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test('that lost everything is used with the journal that is left', async () => {
    const url = await begun()
    await store.redis.flushall()
    expect(await (await open(url)).mergeRequests.memory(of)).toBeDefined()
    expect(await refusal(open(newDatabase()))).toMatch(idIn(url))
  })

  test('whose journal is lost begins another once the key that the message names is deleted, as docs/journal.md says', async () => {
    const lost = await begun()
    const url = newDatabase()
    const [, key = ''] = /delete the key (\S+) in Redis/.exec(await refusal(open(url))) ?? []
    const command = 'redis-cli -u redis://127.0.0.1:6379 DEL bellhop:journal:id'
    expect(fencedCommands(readPage('journal.md'))).toContain(command)
    expect(command).toContain(` DEL ${key}`)
    await store.redis.del(key)
    expect(await (await open(url)).mergeRequests.memory(of)).toBeUndefined()
    expect(await refusal(open(lost))).toMatch(`is ${idIn(url)}`)
  })
})
