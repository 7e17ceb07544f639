// The queue suite on Redis, and what happens when Redis is down, hangs or is full.
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { QueueMisconfigured, QueueUnavailable } from '../../src/queue/errors.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { freePort, hasRedisServer, startRedis, type TestRedis } from '../servers/redis-server.ts'
import { queueSuite } from '../suites/queue/queue.suite.ts'
import { noting } from '../suites/queue/test-queues.ts'

describe.skipIf(!hasRedisServer())('redis', () => {
  let redis: TestRedis
  let queues: Queues

  beforeAll(async () => {
    redis = await startRedis()
    queues = await openQueues({ url: redis.url })
  })

  afterAll(async () => {
    await queues.close()
    await redis.stop()
  })

  queueSuite(() => queues)

  test('the backlog of many jobs, with a priority or delayed or neither, includes the bytes of all', async () => {
    const queue = queues.queue<{ text: string }>('many')
    const add = (_: unknown, n: number) =>
      queue.add({ data: { text: 'small' }, ...(n % 2 === 0 ? { priority: 7 } : {}) })
    // A hundred at once: more would time out on a busy machine.
    for (let batch = 0; batch < 11; batch += 1) await Promise.all(Array.from({ length: 100 }, add))
    const before = await queue.backlog()
    expect(before.jobs).toBe(1_100)
    expect(before.bytes / 1_100).toBeLessThan(300)
    for (let n = 0; n < 10; n += 1)
      await queue.add({ data: { text: randomBytes(30_000).toString('base64') }, delayMs: 3_600_000 })
    const { jobs, bytes } = await queue.backlog()
    expect(jobs).toBe(1_110)
    expect(bytes - before.bytes).toBeGreaterThan(10 * 28_000)
    expect(bytes - before.bytes).toBeLessThan(10 * 42_000)
  })
})

describe.skipIf(!hasRedisServer())('redis in trouble', () => {
  /** Both end with the test. */
  async function openRedis(settings?: Parameters<typeof startRedis>[0]) {
    const redis = await startRedis(settings)
    const queues = await openQueues({ url: redis.url })
    onTestFinished(async () => {
      await queues.close()
      await redis.stop()
    })
    return { redis, queues }
  }

  test('while Redis is down add rejects quickly; adds and workers recover by themselves', async () => {
    const { redis, queues } = await openRedis()
    const queue = queues.queue<number>('deliveries')
    const ran: number[] = []
    const worker = queues.work<number>('deliveries', noting(ran), {
      concurrency: 1,
      onError: () => undefined,
    })
    await queue.add({ data: 1 })
    await eventually(() => expect(ran).toEqual([1]))
    await redis.kill()
    for (let n = 0; n < 3; n += 1) {
      const from = performance.now()
      await expect(queue.add({ data: 2 })).rejects.toThrow(QueueUnavailable)
      expect(performance.now() - from).toBeLessThan(15_000)
    }
    await expect(queues.ping()).rejects.toThrow(QueueUnavailable)
    await redis.start()
    await eventually(() => queue.add({ id: 'after', data: 3 }))
    await eventually(() => expect(ran).toContain(3))
    expect(ran).not.toContain(2)
    await worker.stop(1_000)
  })

  test('while Redis hangs add rejects quickly', async () => {
    const { redis, queues } = await openRedis()
    const queue = queues.queue<number>('deliveries')
    await queue.add({ data: 1 })
    redis.freeze()
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 10)
    const from = performance.now()
    await expect(queue.add({ data: 2 })).rejects.toThrow(QueueUnavailable)
    const tookMs = performance.now() - from
    clearInterval(turning)
    process.stdout.write(
      `Redis hangs: add fails after ${Math.round(tookMs)} ms; the process goes on meanwhile (${turns} turns)\n`,
    )
    expect(tookMs).toBeLessThan(15_000)
    expect(turns).toBeGreaterThan(3)
    redis.thaw()
    await eventually(() => queue.add({ data: 3 }))
  })

  test('a process that stood still for longer than a command may take reads the replies that came meanwhile', async () => {
    const { queues } = await openRedis()
    const queue = queues.queue<number>('deliveries')
    await queue.add({ data: 1 })
    const asked = [queue.add({ data: 2 }), queues.ping(), queue.counts()]
    await new Promise((resolve) => setImmediate(resolve))
    for (const until = performance.now() + 2_000; performance.now() < until; );
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ])
  })

  test('while Redis is full add rejects; no acknowledged job is lost, and adds recover', async () => {
    const { redis, queues } = await openRedis([['maxmemory', '2mb']])
    const queue = queues.queue<string>('deliveries')
    const acknowledged: string[] = []
    const fill = async () => {
      for (let n = 0; n < 100; n += 1) acknowledged.push((await queue.add({ data: 'x'.repeat(100_000) })).id)
    }
    await expect(fill()).rejects.toThrow(QueueUnavailable)
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory', '100mb')
    await admin.quit()
    await queue.add({ data: 'again' })
    const stored = await Promise.all(acknowledged.map((id) => queue.get(id)))
    const lost = stored.filter((job) => job === undefined).length
    process.stdout.write(`Redis out of memory: ${acknowledged.length} acknowledged before, ${lost} lost\n`)
    expect(lost).toBe(0)
    expect((await queue.counts()).waiting).toBe(acknowledged.length + 1)
  })

  test('a Redis that may evict jobs is refused, with the remedy', async () => {
    const redis = await startRedis([['maxmemory-policy', 'allkeys-lru']])
    const refused = openQueues({ url: redis.url })
    await expect(refused).rejects.toThrow(QueueMisconfigured)
    await expect(refused).rejects.toThrow(/CONFIG SET maxmemory-policy noeviction/)
    await redis.stop()
  })

  test('a Redis that cannot be reached is refused without showing the password', async () => {
    const refused = openQueues({ url: `redis://user:hunter2@127.0.0.1:${await freePort()}` })
    await expect(refused).rejects.toThrow(QueueUnavailable)
    await expect(refused).rejects.not.toThrow(/hunter2/)
  })
})
