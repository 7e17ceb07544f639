// What `bellhop doctor` says of the journal's database.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examineJournal } from '../../../src/cli/doctor/journal.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'

test('nothing where the journal is stored with the queue', async () => {
  expect(await examineJournal('')).toEqual([])
})

test('a server that does not answer, without the password', async () => {
  const [finding] = await examineJournal('postgres://u:my-password@127.0.0.1:1/d')
  expect(finding).toMatchObject({
    is: 'fail',
    message: expect.stringMatching(/postgres:\/\/127.0.0.1:1\/d cannot be opened/),
  })
  expect(JSON.stringify(finding)).not.toContain('my-password')
})

describe.skipIf(!hasPostgresServer())('of a server', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  test('that it answers, that tables are missing, and whether the user may make them', async () => {
    const url = postgres.database('doctor')
    expect(await examineJournal(url)).toMatchObject([
      { is: 'ok', message: expect.stringMatching(/answers; bellhop serve makes/) },
    ])
    postgres.run("CREATE USER reader PASSWORD 'reader'")
    const asReader = async () => {
      const reader = new URL(url)
      Object.assign(reader, { username: 'reader', password: 'reader' })
      const [finding] = await examineJournal(reader.href)
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
    try {
      await eventually(async () => expect(await examineJournal(url)).toMatchObject([{ is: 'ok' }, durability]))
    } finally {
      postgres.run("ALTER SYSTEM SET synchronous_standby_names = ''")
      set('SELECT pg_reload_conf()')
    }
  })

  test('that it only reads', async () => {
    const url = postgres.database('reads')
    postgres.run('ALTER DATABASE reads SET default_transaction_read_only = on')
    expect(await examineJournal(url)).toMatchObject([
      { is: 'fail', message: expect.stringMatching(/only reads \(.*127.0.0.1:\d+\/reads\)/) },
    ])
  })

  test('that it is a standby', async () => {
    await postgres.kill()
    const signal = join(postgres.directory, 'data', 'standby.signal')
    writeFileSync(signal, '')
    await postgres.start()
    try {
      expect(await examineJournal(postgres.url)).toMatchObject([
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
})
