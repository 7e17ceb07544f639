// What the queue's own script writes to Redis for a job is what BullMQ writes for it, but for the events.
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOB_OPTIONS } from '../../src/queue/bullmq-store.ts'
import { encodeData } from '../../src/queue/job-data.ts'
import { openQueue } from '../../src/queue/open-queue.ts'
import type { Queue as OurQueue } from '../../src/queue/types.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'

const jobs = [
  { id: 'd-first', data: { is: 'delivery', body: '{"title":"é😀 \\" \\u2028"}' }, priority: 7 },
  { id: 'd-second', data: { is: 'delivery', body: '' }, priority: 2_097_151 },
  { id: 'd-third', data: null, priority: 7 },
  { id: 'd-fourth', data: { is: 'delivery', body: '' }, body: Buffer.from('{"title":"é😀 \\" \\u2028"}'), priority: 7 },
  { id: 'd-fifth', data: { is: 'delivery', body: '' }, body: Buffer.from('é'.repeat(16_385)), priority: 7 },
]

describe.skipIf(!hasRedisServer())('a job with an id and a priority', () => {
  let server: TestRedis
  let queue: OurQueue
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

  /** All that stands under the lane's keys; of times only whether they are milliseconds. */
  async function written(lane: string): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {}
    for (const key of (await redis.keys(`{bellhop}:${lane}:*`)).sort()) {
      const type = await redis.type(key)
      if (type === 'hash') {
        const { timestamp, opts, ...fields } = await redis.hgetall(key)
        found[key.replace(lane, 'lane')] = {
          ...fields,
          ...(opts === undefined ? {} : { opts: JSON.parse(opts), timestamp: /^\d{13}$/.test(timestamp ?? '') }),
        }
      } else if (type === 'zset') found[key.replace(lane, 'lane')] = await redis.call('zrange', key, '0', '-1', 'WITHSCORES')
      else if (type === 'list') found[key.replace(lane, 'lane')] = await redis.lrange(key, 0, -1)
      else found[key.replace(lane, 'lane')] = type === 'string' ? await redis.get(key) : type
    }
    return found
  }

  test.each(['a lane that is worked', 'a paused lane'])('stands in Redis as BullMQ would have put it there: %s', async (kind) => {
    const name = kind.replaceAll(' ', '-')
    const lane = queue.lane<unknown>(`ours-${name}`)
    const bull = new Queue(`bullmq-${name}`, { connection: redis, prefix: '{bellhop}' })
    if (kind === 'a paused lane') await Promise.all([lane.pause(), bull.pause()])
    for (const job of jobs) {
      const { id, data, body, priority } = job
      const isLarge = body !== undefined && body.length > 32 * 1024
      const stored = isLarge ? encodeData(data, { bodyApart: body.length }) : encodeData(data, { bodyIsName: body !== undefined })
      const named = isLarge ? 'apart' : (body?.toString() ?? id)
      const added = await bull.add(named, stored, { ...JOB_OPTIONS, jobId: id, priority })
      if (isLarge) await added.log(body.toString())
      expect(await lane.add(job)).toEqual({ id, added: true })
    }
    const theirs = await written(bull.name)
    expect(Object.keys(theirs)).toContain('{bellhop}:lane:d-first')
    delete theirs['{bellhop}:lane:events']
    const ours = await written(lane.name)
    delete ours['{bellhop}:lane:events']
    expect(ours).toEqual(theirs)
  })

  test('is dropped while its id is kept', async () => {
    const lane = queue.lane<number>('doubled')
    expect(await lane.add({ id: 'd', data: 1, priority: 1 })).toEqual({ id: 'd', added: true })
    expect(await lane.add({ id: 'd', data: 2, priority: 1 })).toEqual({ id: 'd', added: false })
    expect((await lane.get('d'))?.data).toBe(1)
  })
})
