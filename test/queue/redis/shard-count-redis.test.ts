// The number of shards is recorded, and changes only while no job is left and nobody works with the former number.
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { QueueMisconfigured } from '../../../src/queue/errors.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'

const RECORD = '{bellhop}:queue:shards'

describe.skipIf(!hasRedisServer())('the number of shards', () => {
  let redis: TestRedis
  let admin: Redis
  const opened: Queues[] = []
  beforeEach(async () => {
    redis = await startRedis()
    admin = new Redis(redis.url)
  })
  afterEach(async () => {
    for (const queues of opened.splice(0)) await queues.close()
    admin.disconnect()
    await redis.stop()
  })

  async function open(shards?: number): Promise<Queues> {
    const queues = await openQueues({ url: redis.url, ...(shards === undefined ? {} : { shards }) })
    opened.push(queues)
    return queues
  }
  async function close(queues: Queues): Promise<void> {
    await queues.close()
    await eventually(async () => expect(await admin.client('LIST')).not.toContain('name=bellhop-'))
  }
  const refused = (shards: number) =>
    open(shards).then(
      () => 'opened',
      (error: Error) => {
        expect(error).toBeInstanceOf(QueueMisconfigured)
        return error.message
      },
    )

  test('is one by default, with the keys that there were before', async () => {
    const queues = await open()
    await queues.queue('jobs').add({ id: 'a', data: 1 })
    expect(await admin.exists('{bellhop}:jobs:a')).toBe(1)
    expect(await admin.get(RECORD)).toBe('1')
    expect(queues.store).toMatchObject({ prefix: '{bellhop}' })
  })

  test('is the same in all processes; another is refused, with what to do', async () => {
    const queues = await open(4)
    await open(4)
    await queues.queue('jobs').add({ id: 'a', data: 1 })
    const message = await refused(8)
    expect(message).toMatch(
      /are divided into 4 shards and cannot be divided into 8 yet: a process with BELLHOP_SHARDS=4 runs/,
    )
    expect(message).toMatch(/BELLHOP_SHARDS=4 finish all jobs.*start with BELLHOP_SHARDS=8\.$/)
    expect(await admin.get(RECORD)).toBe('4')
    expect(await refused(1)).toMatch(/divided into 4 shards and cannot be divided into 1 yet/)
    await open(4)
  })

  test.each([
    ['waiting', { data: 1 }],
    ['delayed', { data: 1, delayMs: 60_000 }],
    ['with a priority', { data: 1, priority: 5 }],
  ])('does not change while a job is %s', async (_state, job) => {
    const before = await open(3)
    const { id } = await before.queue<number>('jobs').add(job)
    await close(before)
    expect(await refused(1)).toMatch(/yet: jobs has 1 unfinished or failed job\. Stop/)
    const again = await open(3)
    expect((await again.queue('jobs').get(id))?.data).toBe(1)
  })

  test('names the command for what is scheduled for later, which no worker finishes, and changes after it', async () => {
    const before = await open(3)
    const { id } = await before.queue<number>('scheduled-evaluations-s').add({ data: 1, delayMs: 2_592_000_000 })
    await close(before)
    const message = await refused(1)
    expect(message).toMatch(/scheduled-evaluations-s has 1 unfinished/)
    expect(message).toContain('bellhop queue discard scheduledEvaluations --state delayed --apply')
    const again = await open(3)
    await again.queue('scheduled-evaluations-s').remove(id)
    await close(again)
    await open(1)
  })

  test('does not change while a failed job is there that could be retried', async () => {
    const before = await open(3)
    const queue = before.queue<number>('jobs')
    const { id } = await queue.add({ data: 1 })
    before.work('jobs', async () => ({ outcome: 'failed', reason: 'no' }), { concurrency: 1, onError: () => undefined })
    await eventually(async () => expect((await queue.get(id))?.state).toBe('failed'))
    await close(before)
    expect(await refused(5)).toMatch(/jobs has 1 unfinished or failed job/)
  })

  test.each([
    [1, 4],
    [4, 1],
    [4, 8],
  ])('changes from %i to %i when all is done: schedules are set again, and nothing else is kept', async (from, to) => {
    const before = await open(from)
    const queue = before.queue<number>('jobs')
    await queue.schedule('sweep', 3_600_000, 0)
    for (let n = 0; n < 20; n += 1) await queue.add({ id: `job-${n}`, data: n })
    before.work('jobs', async () => ({ outcome: 'done' }), { concurrency: 5, onError: () => undefined })
    await queue.settled()
    await admin.set('{bellhop}:journal:layout', '1')
    await close(before)
    const after = await open(to)
    expect(await admin.get(RECORD)).toBe(String(to))
    const keys = await admin.keys('*')
    expect(keys.sort()).toEqual(['{bellhop}:journal:layout', RECORD])
    expect(await refused(from)).toMatch(/a process with BELLHOP_SHARDS/)
    await after.queue('jobs').add({ id: 'job-1', data: 1 })
    expect((await after.queue('jobs').counts()).waiting).toBe(1)
  })

  test('a change that was interrupted is ended by either number, and lets neither in before', async () => {
    const queues = await open(4)
    await close(queues)
    await admin.set(RECORD, '4>8')
    const after = await open(8)
    expect(await admin.get(RECORD)).toBe('8')
    await close(after)
    await admin.set(RECORD, '8>2')
    await open(8)
    expect(await admin.get(RECORD)).toBe('8')
  })

  test('jobs of a Bellhop that recorded no number are not forgotten', async () => {
    const before = await open()
    await before.queue('jobs').add({ id: 'a', data: 1 })
    await close(before)
    await admin.del(RECORD)
    expect(await refused(4)).toMatch(/divided into 1 shard and cannot/)
    expect((await (await open()).queue('jobs').get('a'))?.data).toBe(1)
  })

  test('several processes that start at once with a new number all begin', async () => {
    await close(await open(2))
    await Promise.all([open(6), open(6), open(6), open(6)])
    expect(await admin.get(RECORD)).toBe('6')
  })
})

test('only a Redis has several shards', async () => {
  for (const url of ['embedded:somewhere', 'postgres://localhost/none'])
    await expect(openQueues({ url, shards: 2 })).rejects.toThrow(/^Only the queue of a Redis has several shards/)
})
