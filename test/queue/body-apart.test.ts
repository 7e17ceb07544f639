// Over Redis large bodies stand beside their jobs: of those no more are in memory at once than there is room for, however many jobs run.
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openQueue } from '../../src/queue/open-queue.ts'
import type { FailedJob, JobHandler, Queue } from '../../src/queue/types.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'

interface Data {
  body: string
}

describe.skipIf(!hasRedisServer())('bodies that stand beside their jobs', () => {
  let server: TestRedis
  let queue: Queue
  let redis: Redis

  beforeAll(async () => {
    server = await startRedis()
    queue = await openQueue({ url: server.url })
    if (queue.store.kind !== 'redis') throw new Error('not over Redis')
    redis = queue.store.redis
  })
  afterAll(async () => {
    await queue.close()
    await server.stop()
  })

  const add = (name: string, id: string, bytes: number) =>
    queue.lane<Data>(name).add({ id, data: { body: '' }, body: Buffer.alloc(bytes, 'a'), priority: 7 })

  /** Runs all jobs of the lane; gives the bytes of the bodies that were in memory at once, at most, and how many jobs ran at once. */
  async function atOnce(name: string, bodiesAtOnce: number): Promise<{ bytes: number; jobs: number; read: number }> {
    const [most, now] = [
      { bytes: 0, jobs: 0, read: 0 },
      { bytes: 0, jobs: 0 },
    ]
    const handler = async ({ data: { body } }: { data: Data }) => {
      now.bytes += body.length
      now.jobs += 1
      most.read += 1
      most.bytes = Math.max(most.bytes, now.bytes)
      most.jobs = Math.max(most.jobs, now.jobs)
      await pause(20)
      now.bytes -= body.length
      now.jobs -= 1
      return { outcome: 'done' as const }
    }
    const worker = queue.work<Data>(name, handler, { concurrency: 50, bodiesAtOnce, onError: () => undefined })
    await queue.lane(name).settled()
    await worker.stop(1_000)
    return most
  }

  test('are read only where there is room for them, and all are', async () => {
    for (let n = 0; n < 20; n += 1) await add('large', `d-${n}`, 300_000)
    const { bytes, jobs, read } = await atOnce('large', 1_000_000)
    expect(read).toBe(20)
    expect(bytes).toBeLessThanOrEqual(1_000_000)
    expect(jobs).toBeGreaterThan(1)
  })

  test('are read one at a time where one alone is more than the room', async () => {
    for (let n = 0; n < 5; n += 1) await add('larger', `d-${n}`, 300_000)
    expect(await atOnce('larger', 200_000)).toEqual({ bytes: 300_000, jobs: 1, read: 5 })
  })

  test('hold back none of the small ones', async () => {
    for (let n = 0; n < 5; n += 1) await add('mixed', `large-${n}`, 300_000)
    for (let n = 0; n < 40; n += 1) await add('mixed', `small-${n}`, 1_000)
    const { jobs, read } = await atOnce('mixed', 200_000)
    expect(read).toBe(45)
    expect(jobs).toBeGreaterThan(20)
  })

  test('that are gone fail their job, and say so', async () => {
    await add('gone', 'd-1', 300_000)
    await redis.del('{bellhop}:gone:d-1:logs')
    expect(await queue.lane('gone').get('d-1')).toBeUndefined()
    const failed: FailedJob[] = []
    const ran: unknown[] = []
    const handler: JobHandler<Data> = async (job) => {
      ran.push(job)
      return { outcome: 'done' }
    }
    const worker = queue.work<Data>('gone', handler, {
      ...{ concurrency: 1, attempts: 1, onError: () => undefined },
      onFailed: (job) => failed.push(job),
    })
    await queue.lane('gone').settled()
    await worker.stop(1_000)
    expect(ran).toEqual([])
    expect(failed).toMatchObject([{ id: 'd-1', reason: 'The body of job d-1 is gone.' }])
  })
})
