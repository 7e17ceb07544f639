// What `bellhop doctor` says of the journal's database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examineJournal } from '../../../src/cli/doctor/journal.ts'
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
    const reader = new URL(url)
    Object.assign(reader, { username: 'reader', password: 'reader' })
    expect(await examineJournal(reader.href)).toMatchObject([
      { is: 'fail', remedy: expect.stringContaining('GRANT CREATE') },
    ])
    expect(postgres.run("SELECT count(*) FROM pg_namespace WHERE nspname = 'bellhop'", 'doctor')).toBe('0')
  })
})
