// What `bellhop doctor` says of the journal's database.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { examineJournal } from '../../../src/cli/doctor/journal.ts'
import { openJournalOf } from '../../../src/journal/open-journal.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'

const examine = (queueUrl: string, journalUrl: string) => examineJournal({ queueUrl, journalUrl })

test('nothing where the journal is in the database of an embedded queue', async () => {
  expect(await examine('embedded:x', '')).toEqual([])
})

test('a server that does not answer, without the password', async () => {
  const journalUrl = 'postgres://u:my-password@127.0.0.1:1/d'
  const [finding] = await examine('redis://127.0.0.1:1', journalUrl)
  expect(finding).toMatchObject({
    is: 'fail',
    message: expect.stringMatching(/postgres:\/\/127.0.0.1:1\/d cannot be opened/),
  })
  expect(JSON.stringify(finding)).not.toContain('my-password')
})

test('where it is embedded next to a Redis, its folder, and what a power failure may cost', async () => {
  expect(await examine('redis://127.0.0.1:1', 'embedded:x')).toMatchObject([
    { is: 'ok', check: 'journal', message: expect.stringMatching(/^The folder .*\/x is writable; \d+ MB/) },
    { is: 'warn', check: 'durability', message: expect.stringContaining('a power failure may lose') },
  ])
  expect(await examine('redis://127.0.0.1:1', 'embedded:/dev/null/none')).toMatchObject([
    { is: 'fail', check: 'journal', message: expect.stringContaining('/dev/null/none') },
    {},
  ])
})

describe.skipIf(!hasPostgresServer() || !hasRedisServer())('of a server', () => {
  let postgres: TestPostgres
  let redis: TestRedis
  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
  })
  afterAll(async () => {
    await Promise.all([redis?.stop(), postgres?.stop()])
  })
  const examineIt = (journalUrl: string) => examine(redis.url, journalUrl)

  test('that it answers, that tables are missing, and whether the user may make them', async () => {
    const url = postgres.database('doctor')
    expect(await examineIt(url)).toMatchObject([
      { is: 'ok', message: expect.stringMatching(/answers; bellhop serve makes/) },
    ])
    postgres.run("CREATE USER reader PASSWORD 'reader'")
    const asReader = async () => {
      const reader = new URL(url)
      Object.assign(reader, { username: 'reader', password: 'reader' })
      const [finding] = await examineIt(reader.href)
      return finding
    }
    expect(await asReader()).toMatchObject({ is: 'fail', remedy: expect.stringContaining('CREATE ON DATABASE') })
    expect(postgres.run("SELECT count(*) FROM pg_namespace WHERE nspname = 'bellhop'", 'doctor')).toBe('0')

    postgres.run('CREATE SCHEMA bellhop', 'doctor')
    expect(await asReader()).toMatchObject({ is: 'fail', remedy: expect.stringContaining('CREATE ON SCHEMA') })
    postgres.run('CREATE TABLE bellhop.record (key text)', 'doctor')
    postgres.run('GRANT USAGE, CREATE ON SCHEMA bellhop TO reader', 'doctor')
    expect(await asReader()).toMatchObject({ is: 'fail', message: expect.stringMatching(/does not own its tables/) })
    postgres.run('ALTER TABLE bellhop.record OWNER TO reader', 'doctor')
    expect(await asReader()).toMatchObject({ is: 'ok', message: expect.stringMatching(/answers\.$/) })
  })

  test.each([
    ['off', '', /is off: a crash/],
    ['local', 'a', /is local: a failover/],
  ])('that it loses commits where synchronous_commit is %s', async (commits, standbys, message) => {
    const url = postgres.database(`loses_${commits}`)
    // No standby is there: whoever waited for one would wait for ever.
    const set = (sql: string) => postgres.run(`SET synchronous_commit = off; ${sql}`)
    set(`ALTER DATABASE loses_${commits} SET synchronous_commit = ${commits}`)
    postgres.run(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`)
    set('SELECT pg_reload_conf()')
    const durability = { is: 'warn', check: 'durability', message: expect.stringMatching(message) }
    onTestFinished(async () => {
      postgres.run("ALTER SYSTEM SET synchronous_standby_names = ''")
      set('SELECT pg_reload_conf()')
    })
    await eventually(async () => expect(await examineIt(url)).toMatchObject([{ is: 'ok' }, durability]))
  })

  test('that it only reads', async () => {
    const url = postgres.database('reads')
    postgres.run('ALTER DATABASE reads SET default_transaction_read_only = on')
    expect(await examineIt(url)).toMatchObject([
      { is: 'fail', message: expect.stringMatching(/only reads \(.*127.0.0.1:\d+\/reads\)/) },
    ])
  })

  test('that it is a standby', async () => {
    await postgres.kill()
    const signal = join(postgres.directory, 'data', 'standby.signal')
    writeFileSync(signal, '')
    await postgres.start()
    try {
      expect(await examineIt(postgres.url)).toMatchObject([
        {
          is: 'fail',
          message: expect.stringContaining('is a standby'),
          remedy: expect.stringContaining('the primary'),
        },
      ])
    } finally {
      await postgres.kill()
      rmSync(signal)
      await postgres.start()
    }
  })

  describe('in the words of bellhop serve', () => {
    let queue: Queues
    beforeEach(async () => {
      queue = await openQueues({ url: redis.url })
      if (queue.store.kind === 'redis') await queue.store.redis.flushall()
    })
    afterEach(() => queue.close())
    const open = async (url: string) => (await openJournalOf({ url, queue: queue.store })).close()

    /** What opening says, and that the doctor says it. */
    async function refusal(url: string): Promise<string> {
      const words = await open(url).then(
        () => 'opened',
        (error: Error) => error.message,
      )
      const failed = (await examineIt(url)).filter(({ is }) => is === 'fail')
      expect(failed.map(({ message }) => message)).toEqual([words])
      return words
    }

    test('nothing against a database that it has opened', async () => {
      const url = postgres.database('own')
      await open(url)
      expect(await examineIt(url)).toMatchObject([{ is: 'ok' }])
    })

    test('that another version of Bellhop made the tables', async () => {
      const url = postgres.database('newer')
      await open(url)
      postgres.run('UPDATE bellhop.journal SET version = 1000', 'newer')
      expect(await refusal(url)).toMatch(/another version of Bellhop/)
    })

    test('that the database holds another journal', async () => {
      const url = postgres.database('others')
      await open(url)
      postgres.run('UPDATE bellhop.journal SET id = gen_random_uuid()', 'others')
      expect(await refusal(url)).toMatch(/^The journal of this queue is .*\/others, not .*\/others: set/)
    })
  })

  test('that Redis is not there to say whose the tables are', async () => {
    const journalUrl = postgres.database('alone')
    expect(await examine('redis://127.0.0.1:1', journalUrl)).toMatchObject([
      { is: 'ok' },
      { is: 'warn', message: expect.stringContaining('is unknown') },
    ])
  })
})
