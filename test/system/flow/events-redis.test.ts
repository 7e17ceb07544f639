// Rules for events on a Redis of the tests' own; on the embedded queue they are tested with the rest of the language.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../../redis-server.ts'
import { startTestWorld, type TestWorld } from '../world.ts'
import { eventRules, eventSuite } from './events.suite.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis
  let world: TestWorld
  beforeAll(async () => {
    redis = await startRedis()
    world = await startTestWorld({ rules: `version: 1\nrules:${eventRules}`, queueUrl: redis.url })
  })
  afterAll(async () => {
    await world?.end()
    await redis?.stop()
  })
  eventSuite(() => world)
})
