// The operator’s desk, on a Redis.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'
import { deskSuite } from './desk.suite.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  deskSuite(() => redis?.url)
})
