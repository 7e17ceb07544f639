// Traces of a receiver and a worker as two processes over Redis.
import { hasPostgresServer } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { tracingSuite } from './tracing.suite.ts'

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('a receiver and a worker over Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  tracingSuite(() => redis.url, ['receiver', 'worker'])
})
