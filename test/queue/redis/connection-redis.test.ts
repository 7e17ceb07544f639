// A command that timed out is never sent later: by then it may have been repeated, and newer data written.
import type { Redis } from 'ioredis'
import { connectFast } from '../../../src/queue/redis/connection.ts'
import { readRedisUrl } from '../../../src/queue/redis/target.ts'
import { eventually } from '../../eventually.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'

describe.skipIf(!hasRedisServer())('a fast connection', () => {
  let redis: Redis
  let server: TestRedis

  beforeAll(async () => {
    server = await startRedis()
    redis = connectFast({ target: readRedisUrl(server.url), log: () => undefined })
    await eventually(() => redis.set('begun', 'yes'))
  })
  afterAll(async () => {
    redis?.disconnect()
    await server?.stop()
  })

  const keys = ['alone', 'together', 'as well', 'later'] as const
  it('sends no command or transaction that timed out before it was connected', async () => {
    const [alone, together, asWell, later] = keys
    redis.stream?.destroy()
    server.freeze()
    const from = performance.now()
    const asked = await Promise.allSettled([
      redis.set(alone, 'late'),
      redis.multi().set(together, 'late').set(asWell, 'late').exec(),
      redis
        .pipeline()
        .set(later, 'late')
        .exec()
        .then((all) => all?.[0]?.[0] && Promise.reject(all[0][0])),
    ])
    expect(performance.now() - from).toBeLessThan(15_000)
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    server.thaw()
    await eventually(() => redis.get(alone))
    expect(await redis.mget(...keys)).toEqual([null, null, null, null])
    expect(await redis.multi().set(together, 'in time').get(together).exec()).toEqual([
      [null, 'OK'],
      [null, 'in time'],
    ])
  })

  it('fails every command after about a second while the server hangs, and goes on afterwards', async () => {
    server.freeze()
    for (let n = 0; n < 3; n += 1) {
      const from = performance.now()
      const asked = await Promise.allSettled([redis.get('begun'), redis.eval('return 1', 1, 'begun')])
      expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      expect(performance.now() - from).toBeLessThan(15_000)
    }
    server.thaw()
    expect(await eventually(() => redis.get('begun'))).toBe('yes')
  })
})
