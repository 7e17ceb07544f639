// Rules and bots that fight, on a Redis of the tests' own.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'
import { fightsSuite } from './fights.suite.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  fightsSuite(() => redis?.url)
})
