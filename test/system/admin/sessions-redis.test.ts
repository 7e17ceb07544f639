// Logging out of the dashboard, on Redis; and in another process that works at the same time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn, visit } from '../../admin/pages/visitor.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../redis-server.ts'
import { adminToken, startAdminWorld } from '../admin-world.ts'
import { sessionsSuite } from './sessions.suite.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())
  sessionsSuite(() => redis?.url)

  test('a session that one process began and ended is over in another', async () => {
    const settings = { BELLHOP_QUEUE_URL: redis?.url ?? '' }
    const [one, other] = [(await startAdminWorld(settings)).bellhop, (await startAdminWorld(settings)).bellhop]
    const visitor = await logIn(one, adminToken)
    const copy = { cookie: visitor.cookie }
    expect((await visit(other).get('/audit', copy)).status).toBe(200)
    await visitor.post('/logout', { csrf: await visitor.csrf() })
    expect((await visit(other).get('/audit', copy)).status).toBe(401)
  })
})
