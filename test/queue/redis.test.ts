// The queue in Redis, on a server of the tests' own.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QueueMisconfigured, QueueUnavailable } from '../../src/queue/errors.ts'
import { openQueue } from '../../src/queue/open-queue.ts'
import type { Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { freePort, hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'
import { queueSuite } from '../suites/queue.suite.ts'
import { noting } from '../suites/queue-lanes.ts'

describe.skipIf(!hasRedisServer())('redis', () => {
  let redis: TestRedis
  let queue: Queue

  beforeAll(async () => {
    redis = await startRedis()
    queue = await openQueue({ url: redis.url })
  })

  afterAll(async () => {
    await queue.close()
    await redis.stop()
  })

  queueSuite(() => queue)
})

describe.skipIf(!hasRedisServer())('redis in trouble', () => {
  test('redis going down makes add reject quickly and recover, and a worker goes on by itself', async () => {
    const redis = await startRedis()
    const queue = await openQueue({ url: redis.url })
    const lane = queue.lane<number>('deliveries')
    const ran: number[] = []
    const worker = queue.work<number>('deliveries', noting(ran), {
      concurrency: 1,
      onError: () => undefined,
    })
    await lane.add({ data: 1 })
    await eventually(() => expect(ran).toEqual([1]))
    await redis.kill()
    for (let n = 0; n < 3; n += 1) {
      const from = performance.now()
      await expect(lane.add({ data: 2 })).rejects.toThrow(QueueUnavailable)
      // The promise itself: whoever sends a delivery is answered in time.
      expect(performance.now() - from).toBeLessThan(2_000)
    }
    await expect(queue.ping()).rejects.toThrow(QueueUnavailable)
    await redis.start()
    await eventually(() => lane.add({ id: 'after', data: 3 }))
    await eventually(() => expect(ran).toContain(3))
    expect(ran).not.toContain(2)
    await worker.stop(1_000)
    await queue.close()
    await redis.stop()
  })

  test('a Redis that hangs makes add reject quickly', async () => {
    const redis = await startRedis()
    const queue = await openQueue({ url: redis.url })
    const lane = queue.lane<number>('deliveries')
    await lane.add({ data: 1 })
    redis.freeze()
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 10)
    const from = performance.now()
    await expect(lane.add({ data: 2 })).rejects.toThrow(QueueUnavailable)
    const tookMs = performance.now() - from
    clearInterval(turning)
    process.stdout.write(`Redis hangs: add fails after ${Math.round(tookMs)} ms; the process goes on meanwhile (${turns} turns)\n`)
    expect(tookMs).toBeLessThan(2_000)
    expect(turns).toBeGreaterThan(10)
    redis.thaw()
    await eventually(() => lane.add({ data: 3 }))
    await queue.close()
    await redis.stop()
  })

  test('a process that stood still for longer than an answer may take hears it all the same', async () => {
    const redis = await startRedis()
    const queue = await openQueue({ url: redis.url })
    const lane = queue.lane<number>('deliveries')
    await lane.add({ data: 1 })
    const asked = [lane.add({ data: 2 }), queue.ping(), lane.counts()]
    await new Promise((resolve) => setImmediate(resolve))
    // As where all cores are busy, or much is collected: no turn of the event loop, but Redis answers meanwhile.
    for (const until = performance.now() + 2_000; performance.now() < until; );
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    await queue.close()
    await redis.stop()
  })

  test('a full Redis makes add reject, keeps what it has acknowledged, and takes jobs again when there is room', async () => {
    const redis = await startRedis([['maxmemory', '2mb']])
    const queue = await openQueue({ url: redis.url })
    const lane = queue.lane<string>('deliveries')
    const acknowledged: string[] = []
    const fill = async () => {
      for (let n = 0; n < 100; n += 1) acknowledged.push((await lane.add({ data: 'x'.repeat(100_000) })).id)
    }
    await expect(fill()).rejects.toThrow(QueueUnavailable)
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory', '100mb')
    await admin.quit()
    await lane.add({ data: 'again' })
    const stored = await Promise.all(acknowledged.map((id) => lane.get(id)))
    const lost = stored.filter((job) => job === undefined).length
    process.stdout.write(`Redis out of memory: ${acknowledged.length} acknowledged before, ${lost} lost\n`)
    expect(lost).toBe(0)
    expect((await lane.counts()).waiting).toBe(acknowledged.length + 1)
    await queue.close()
    await redis.stop()
  })

  test('a Redis that may drop jobs is refused with the remedy', async () => {
    const redis = await startRedis([['maxmemory-policy', 'allkeys-lru']])
    const refused = openQueue({ url: redis.url })
    await expect(refused).rejects.toThrow(QueueMisconfigured)
    await expect(refused).rejects.toThrow(/CONFIG SET maxmemory-policy noeviction/)
    await redis.stop()
  })

  test('a Redis that is not there is refused without showing the password', async () => {
    const refused = openQueue({ url: `redis://user:hunter2@127.0.0.1:${await freePort()}` })
    await expect(refused).rejects.toThrow(QueueUnavailable)
    await expect(refused).rejects.not.toThrow(/hunter2/)
  })
})
