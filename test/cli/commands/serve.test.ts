// `bellhop serve` stops on SIGTERM, also while its queue is unreachable.
import { builtCommand } from '../../built-command.ts'
import { hasPostgresServer, startPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { startCommand } from '../../system/process.ts'

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
    onTestFinished(async () => {
      running.child.kill('SIGKILL')
      await Promise.all([redis.stop(), postgres.stop()])
    })
    await running.says(/^bellhop: /m)
    await redis.kill()
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, signal: null })
  },
)
