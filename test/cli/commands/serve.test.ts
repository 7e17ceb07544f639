// `bellhop serve` as a process: it ends when it is told to, also when its queue is away.
import { expect, test } from 'vitest'
import { hasRedisServer, startRedis } from '../../redis-server.ts'
import { startCommand } from '../../system/process.ts'

test.skipIf(!hasRedisServer())('a process that is told to stop while Redis is away ends with 0', async () => {
  const redis = await startRedis()
  const running = startCommand(['serve'], {
    BELLHOP_SERVICE_URL: 'http://127.0.0.1:1',
    BELLHOP_SERVICE_TOKEN: 'not-a-token',
    BELLHOP_HOOK_SECRET: 'not-a-secret',
    BELLHOP_QUEUE_URL: redis.url,
    BELLHOP_PORT: '0',
    BELLHOP_STOP_WITHIN: '500',
  })
  try {
    await running.says(/^bellhop: /m)
    await redis.kill()
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, signal: null })
  } finally {
    running.child.kill('SIGKILL')
    await redis.stop()
  }
})
