// `bellhop serve` stops on SIGTERM, also while its queue is unreachable or a browser is connected.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { builtCommand } from '../../built-command.ts'
import { prepareDatabase } from '../../prepared-database.ts'
import { hasPostgresServer, startPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { startCommand } from '../../system/process.ts'
import { ownFolder } from '../own-folder.ts'

// Takes long on a busy machine, and is shared with other files.
beforeAll(async () => void (await builtCommand()))

const settings = {
  BELLHOP_SERVICE_URL: 'http://127.0.0.1:1',
  BELLHOP_SERVICE_TOKEN: 'not-a-token',
  BELLHOP_HOOK_SECRET: 'not-a-secret',
  BELLHOP_PORT: '0',
  BELLHOP_SWEEP_EVERY: '0',
}

test
  .skipIf(!hasRedisServer() || !hasPostgresServer())
  .each([[['serve']], [['serve', '--only', 'receiver']], [['serve', '--only', 'worker']]])(
  '%j: SIGTERM while Redis is unreachable ends with 0',
  async (args) => {
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()])
    const running = startCommand(args, {
      ...settings,
      BELLHOP_QUEUE_URL: redis.url,
      BELLHOP_JOURNAL_URL: postgres.url,
      BELLHOP_SHUTDOWN_TIMEOUT: '500',
    })
    try {
      await running.says(/^bellhop: /m)
      await redis.kill()
      running.child.kill('SIGTERM')
      expect(await running.ended).toEqual({ code: 0, signal: null })
    } finally {
      running.child.kill('SIGKILL')
      await Promise.all([redis.stop(), postgres.stop()])
    }
  },
)

test.skipIf(!hasRedisServer())(
  'over Redis with an embedded journal, a second process on that directory is refused in one line',
  async () => {
    const redis = await startRedis()
    const journal = await prepareDatabase(join(ownFolder().folder, 'journal'))
    const environment = { ...settings, BELLHOP_QUEUE_URL: redis.url, BELLHOP_JOURNAL_URL: `embedded:${journal}` }
    const running = startCommand(['serve'], environment)
    try {
      const [, url = ''] = await running.says(/^bellhop: (http:\S+)/m)
      const ready = await (await fetch(`${url}/readyz`)).json()
      expect(ready).toMatchObject({ status: 'ready', queue: 'redis', journal: 'available' })
      const second = startCommand(['serve'], environment)
      expect(await second.ended).toEqual({ code: 1, signal: null })
      const lines = second
        .stderr()
        .split('\n')
        .filter((line) => line.startsWith('bellhop: '))
      expect(lines).toEqual([
        expect.stringMatching(/^bellhop: The journal directory .*\/journal is in use by process \d+\. Stop/),
      ])
    } finally {
      running.child.kill('SIGKILL')
      await redis.stop()
    }
  },
)
