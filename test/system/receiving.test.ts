// What comes in (bench/burst sends 20,000), on the embedded queue and on a Redis of the tests' own.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'
import { receivingSuite } from './receiving.suite.ts'

describe('on the embedded queue', () => {
  receivingSuite(() => undefined, { count: 200, bytes: 150_000 })
})

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  receivingSuite(() => redis?.url, { count: 500, bytes: 100_000 })
})
