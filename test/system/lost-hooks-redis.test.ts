// Lost hooks on a Redis of the tests' own.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'
import { lostHooksSuite } from './lost-hooks.suite.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  lostHooksSuite(() => redis?.url, 12)
})
