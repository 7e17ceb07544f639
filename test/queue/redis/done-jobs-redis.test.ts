// What stays in Redis of a job that is done: its id for a day.
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { JobHandler, Queues } from '../../../src/queue/types.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { failing, noting, queuesOf } from '../../suites/queue/test-queues.ts'

const SECOND = 1_000
const DAY = 24 * 3_600 * SECOND

describe.skipIf(!hasRedisServer())('a job that is done', () => {
  let server: TestRedis
  let queues: Queues
  let redis: Redis
  const { test, worked } = queuesOf<string>(() => queues)

  beforeAll(async () => {
    server = await startRedis()
    queues = await openQueues({ url: server.url })
    redis = new Redis(server.url)
  })
  afterAll(async () => {
    redis.disconnect()
    await queues.close()
    await server.stop()
  })

  /** Does the jobs of the queue, and one more when the others were done a minute ago. */
  async function doneAMinuteAgo(name: string, handler: JobHandler<string> = async () => ({ outcome: 'done' })) {
    const queue = queues.queue<string>(name)
    await worked(queue, handler)
    const done = `bellhop:${name}:completed`
    for (const id of await redis.zrange(done, '0', '-1')) await redis.call('ZINCRBY', done, String(-61 * SECOND), id)
    await queue.add({ id: 'one-more', data: '' })
    await worked(queue, handler)
  }

  test('is gone after a minute, and its id still counts, without its data', async ({ queue }) => {
    const body = randomUUID().repeat(200)
    await queue.add({ id: 'delivery', data: body })
    await queue.add({ data: body })
    await queue.add({ deduplicationKey: 'key', data: body })
    await doneAMinuteAgo(queue.name)
    expect((await queue.list(['completed'], 0, 10)).map(({ id }) => id)).toEqual(['one-more'])
    expect(await queue.get('delivery')).toBeUndefined()

    expect(await queue.add({ id: 'delivery', data: body })).toEqual({ id: 'delivery', added: false })
    expect(await queue.counts()).toMatchObject({ waiting: 0, delayed: 0 })
    const left = (await redis.keys(`bellhop:${queue.name}:*`)).filter((key) => /delivery|key/.test(key))
    expect(left).toEqual([`bellhop:${queue.name}:de:delivery`])
    expect(await redis.memory('USAGE', left[0] ?? '')).toBeLessThan(300)
  })

  test('counts for a day: then its id is new again', async ({ queue }) => {
    await queue.add({ id: 'delivery', data: 'first' })
    await doneAMinuteAgo(queue.name)
    const key = `bellhop:${queue.name}:de:delivery`
    const left = await redis.pttl(key)
    expect(left).toBeGreaterThan(DAY - 3_600 * SECOND)
    expect(left).toBeLessThanOrEqual(DAY)
    await redis.pexpire(key, 1)
    await expect.poll(() => redis.exists(key)).toBe(0)
    expect(await queue.add({ id: 'delivery', data: 'again' })).toEqual({ id: 'delivery', added: true })
  })

  test('that failed before keeps its id when it is retried', async ({ queue }) => {
    await queue.add({ id: 'delivery', data: 'first' })
    await worked(queue, failing)
    expect(await queue.add({ id: 'delivery', data: 'again' })).toEqual({ id: 'delivery', added: false })
    await queue.retry('delivery')
    const ran: string[] = []
    await doneAMinuteAgo(queue.name, noting(ran))
    expect(ran).toEqual(['first', ''])
    expect(await queue.add({ id: 'delivery', data: 'again' })).toEqual({ id: 'delivery', added: false })
  })

  test('that a person removed may be added again', async ({ queue }) => {
    await queue.add({ id: 'delivery', data: 'first' })
    await queue.remove('delivery')
    expect(await queue.add({ id: 'delivery', data: 'again' })).toEqual({ id: 'delivery', added: true })
  })
})
