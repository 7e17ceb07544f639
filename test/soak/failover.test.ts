// The servers of a soak's third kind of queue: the master that is broken is replaced, and what a replica had confirmed is there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FailoverRedis, startFailoverRedis } from '../../soak/failover.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import { eventually } from '../eventually.ts'
import { hasRedisServer } from '../servers/redis-server.ts'

/** What a queue at that address holds. */
async function waiting(url: string, added?: string): Promise<number> {
  const queues = await openQueues({ url })
  try {
    const queue = queues.queue('deliveries')
    // A replica that has just come confirms nothing for a moment: a sender sends again.
    if (added !== undefined)
      await eventually(async () => void (await queue.add({ id: added, data: {}, onReplica: true })))
    return (await queue.counts()).waiting
  } finally {
    await queues.close()
  }
}

describe.skipIf(!hasRedisServer())('a Redis that fails over', () => {
  let redis: FailoverRedis
  beforeAll(async () => {
    redis = await startFailoverRedis()
  })
  afterAll(() => redis?.stop())

  test('goes on with a replica when its master is killed or frozen, and the old one comes back as a replica', async () => {
    expect(await waiting(redis.url, 'first')).toBe(1)
    await redis.kill()
    await redis.start()
    await redis.recovered()
    // On a slow machine the Sentinels may change the master once more.
    expect(redis.promotions()).toBeGreaterThanOrEqual(1)
    expect(await waiting(redis.url, 'second')).toBe(2)
    await redis.freeze()
    await redis.thaw()
    await redis.recovered()
    expect(redis.promotions()).toBeGreaterThanOrEqual(2)
    expect(await waiting(redis.url)).toBe(2)
  })
})
