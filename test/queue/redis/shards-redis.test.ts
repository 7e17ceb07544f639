// The queue suite on a Redis with three shards, on one server and on a cluster.
import { afterAll, beforeAll, describe } from 'vitest'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { Queues } from '../../../src/queue/types.ts'
import { startRedisCluster } from '../../servers/redis-cluster.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { queueSuite } from '../../suites/queue/queue.suite.ts'

describe.skipIf(!hasRedisServer()).each([
  ['one server', () => startRedis()],
  ['a cluster', () => startRedisCluster([], { replicas: 0 })],
])('three shards on %s', (_on, start) => {
  let redis: { url: string; stop(): Promise<void> }
  let queues: Queues
  beforeAll(async () => {
    redis = await start()
    queues = await openQueues({ url: redis.url, shards: 3 })
  })
  afterAll(async () => {
    await queues?.close()
    await redis?.stop()
  })

  queueSuite(() => queues)
})
