// A merge is of what was judged (DESIGN §4), whatever happens around it: on Redis.
import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedisServer, startRedis, type TestRedis } from '../../redis-server.ts'
import { changesSuite } from './changes.suite.ts'
import { commandsSuite } from './commands.suite.ts'
import { acceptFaultsSuite } from './faults.suite.ts'
import { waitingSuite } from './waiting.suite.ts'
import { type MergeWorld, startMergeWorld } from './world.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis | undefined
  let world: MergeWorld
  beforeAll(async () => {
    redis = await startRedis()
    world = await startMergeWorld(redis.url)
  })
  afterAll(async () => {
    await world.end()
    await redis?.stop()
  })
  acceptFaultsSuite(() => world)
  changesSuite(() => world)
  commandsSuite(() => world)
  waitingSuite(() => world)
})
