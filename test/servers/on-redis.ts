// A block of tests on a Redis of its own; left out where this machine has no redis-server.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from './redis-server.ts'

/** `url` is known once the tests run. */
export function onRedis(tests: (url: () => string) => void): void {
  describe.skipIf(!hasRedisServer())('on Redis', () => {
    let redis: TestRedis
    beforeAll(async () => {
      redis = await startRedis()
    })
    afterAll(() => redis?.stop())
    tests(() => redis.url)
  })
}
