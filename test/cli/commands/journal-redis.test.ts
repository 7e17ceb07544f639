// `bellhop journal`: what it says and refuses, on servers of the tests' own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { bellhopHere } from '../run-here.ts'

const run = (args: readonly string[], environment: Record<string, string> = {}) => bellhopHere(args, environment)

test.each([
  { args: ['journal', 'move'], code: 2, says: /BELLHOP_QUEUE_URL|--queue/ },
  {
    args: ['journal', 'move', '--queue', 'redis://127.0.0.1:1'],
    code: 2,
    says: /Give --to, --cancel or --delete-source/,
  },
  {
    args: ['journal', 'move', '--queue', 'redis://127.0.0.1:1', '--to', 'x', '--cancel'],
    code: 2,
    says: /Give --to, --cancel or/,
  },
  {
    args: ['journal', 'move', '--queue', 'redis://127.0.0.1:1', '--to', 'my-password'],
    code: 2,
    says: /expected postgres:\/\/USER/,
  },
  {
    args: ['journal', 'move', '--queue', 'embedded:x', '--to', 'postgres://h/d'],
    code: 2,
    says: /The queue must be in Redis/,
  },
  { args: ['journal', 'take-over', '--queue', 'redis://127.0.0.1:1'], code: 2, says: /--journal/ },
  {
    args: ['journal', 'take-over', '--queue', 'redis://127.0.0.1:1', '--journal', 'postgres://u:my-password@h/d'],
    code: 1,
    says: /Redis at redis:\/\/127.0.0.1:1/,
  },
])('bellhop $args is refused in one line', async ({ args, code, says }) => {
  const refused = await run(args)
  expect([refused.code, refused.out]).toEqual([code, ''])
  expect(refused.err).toMatch(says)
  expect(refused.err).not.toContain('my-password')
  expect(refused.err).not.toMatch(/^\s+at /m)
})

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('with servers', () => {
  let redis: TestRedis
  let postgres: TestPostgres
  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
  })
  afterAll(async () => {
    await Promise.all([redis?.stop(), postgres?.stop()])
  })
  const here = (args: readonly string[]) => run(args, { BELLHOP_QUEUE_URL: redis.url })

  test('a database with a wrong password is refused, and nothing has begun', async () => {
    const queue = await openQueues({ url: redis.url })
    await openJournal(queue.store)
    await queue.close()
    const wrong = await here(['journal', 'move', '--to', postgres.url.replace('test-password', 'not-it')])
    expect([wrong.code, wrong.out]).toEqual([1, ''])
    expect(wrong.err).toMatch(
      /^bellhop: The journal at postgres:\/\/127.0.0.1:\d+\/postgres cannot be opened: password/,
    )
    expect((await here(['journal', 'move', '--cancel'])).err).toBe('bellhop: No move has begun.\n')
    expect((await here(['journal', 'move', '--delete-source'])).err).toBe(
      'bellhop: The journal is in Redis: nothing is deleted.\n',
    )
  })

  test('a move is made once, cannot be given up afterwards, and serves to free Redis', async () => {
    const to = ['journal', 'move', '--to', postgres.database('target')]
    expect(await here(to)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/The journal is now in postgres:.*\/target\.\nRestart every process/),
    })
    const named = { BELLHOP_QUEUE_URL: redis.url, BELLHOP_JOURNAL_URL: to.at(-1) ?? '' }
    expect((await run(['journal', 'move', '--to'], named)).out).toMatch(
      /^The journal was in postgres:.*\/target before\./,
    )
    expect(await here(['journal', 'move', '--to', postgres.database('other')])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^bellhop: The journal of this installation is in .*\/target, and not in .*\/other: only a journal in Redis can be moved\.\n$/,
      ),
    })
    expect((await here(['journal', 'move', '--cancel'])).err).toMatch(/is in .*: that cannot be given up/)
    expect(await here(['journal', 'move', '--delete-source'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/keys deleted/),
    })
  })

  test('a journal whose queue is lost is taken over by the new queue', async () => {
    const url = postgres.database('kept')
    const [old, next] = await Promise.all([startRedis(), startRedis()])
    const takeOver = (queue: string) => run(['journal', 'take-over', '--journal', url], { BELLHOP_QUEUE_URL: queue })
    try {
      expect(await takeOver(old.url)).toMatchObject({ code: 0 })
      expect(await takeOver(next.url)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^The journal in postgres:.*\/kept is now the one of this queue\.\n$/),
      })
    } finally {
      await Promise.all([old.stop(), next.stop()])
    }
  })
})
