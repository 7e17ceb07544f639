// A flood past the backlog, on the embedded queue and on a Redis of the tests' own.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'
import { floodSuite } from './flood.suite.ts'

describe('on the embedded queue', () => {
  floodSuite(() => undefined)
})

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  floodSuite(() => redis?.url)
})
