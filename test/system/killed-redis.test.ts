// Kill -9 in the middle of a call, on a Redis of the tests' own.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'
import { killedSuite } from './killed.suite.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  killedSuite(() => redis?.url)
})
