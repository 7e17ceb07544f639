// A command that timed out is never sent later: by then it may have been repeated, and newer data written.
import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectFast } from '../../../src/queue/redis/connection.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../redis-server.ts'

describe.skipIf(!hasRedisServer())('a fast connection', () => {
  let server: TestRedis
  let redis: Redis

  beforeAll(async () => {
    server = await startRedis()
    redis = connectFast({ url: server.url, log: () => undefined })
    await redis.ping()
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })

  it('sends no command or transaction that timed out before it was connected', async () => {
    redis.stream.destroy()
    server.freeze()
    const asked = await Promise.allSettled([
      redis.set('alone', 'late'),
      redis.multi().set('together', 'late').set('as well', 'late').exec(),
    ])
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const ready = once(redis, 'ready')
    server.thaw()
    await ready
    expect(await redis.mget('alone', 'together', 'as well')).toEqual([null, null, null])
    expect(await redis.multi().set('together', 'in time').get('together').exec()).toEqual([
      [null, 'OK'],
      [null, 'in time'],
    ])
  })
})
