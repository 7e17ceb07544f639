// Over Redis large bodies stand beside their jobs: of those no more are in memory at once than there is room for, however many jobs run.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openQueue } from '../../src/queue/open-queue.ts'
import type { FailedJob, JobHandler, LaneWorker, Queue } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'

interface Data {
  body: string
}

describe.skipIf(!hasRedisServer())('bodies that stand beside their jobs', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  /** A queue with so much room, closed when `does` is done. */
  async function withRoom(bodiesAtOnce: number, does: (queue: Queue) => Promise<void>): Promise<void> {
    const queue = await openQueue({ url: server.url, bodiesAtOnce })
    await does(queue).finally(() => queue.close())
  }

  const add = (queue: Queue, name: string, id: string, bytes: number) =>
    queue.lane<Data>(name).add({ id, data: { body: '' }, body: Buffer.alloc(bytes, 'a'), priority: 7 })

  /** Runs all jobs of the lanes; gives the bytes of the bodies that were in memory at once, at most, and how many jobs ran at once. */
  async function atOnce(queue: Queue, ...names: string[]): Promise<{ bytes: number; jobs: number; read: number }> {
    const most = { bytes: 0, jobs: 0, read: 0 }
    const now = { bytes: 0, jobs: 0 }
    const handler: JobHandler<Data> = async ({ data: { body } }) => {
      now.bytes += body.length
      now.jobs += 1
      most.read += 1
      most.bytes = Math.max(most.bytes, now.bytes)
      most.jobs = Math.max(most.jobs, now.jobs)
      await pause(20)
      now.bytes -= body.length
      now.jobs -= 1
      return { outcome: 'done' }
    }
    const workers = names.map((name) => queue.work<Data>(name, handler, { concurrency: 50, onError: () => undefined }))
    for (const name of names) await queue.lane(name).settled()
    await Promise.all(workers.map((worker) => worker.stop(1_000)))
    return most
  }

  test('are read only where there is room for them, in all lanes together, and all are', () =>
    withRoom(1_000_000, async (queue) => {
      for (let n = 0; n < 20; n += 1) await add(queue, n % 2 === 0 ? 'large-1' : 'large-2', `d-${n}`, 300_000)
      const { bytes, jobs, read } = await atOnce(queue, 'large-1', 'large-2')
      expect(read).toBe(20)
      expect(bytes).toBeLessThanOrEqual(1_000_000)
      expect(jobs).toBeGreaterThan(1)
    }))

  test('are read one at a time where one alone is more than the room', () =>
    withRoom(200_000, async (queue) => {
      for (let n = 0; n < 5; n += 1) await add(queue, 'larger', `d-${n}`, 300_000)
      expect(await atOnce(queue, 'larger')).toEqual({ bytes: 300_000, jobs: 1, read: 5 })
    }))

  test('hold back none of the small ones', () =>
    withRoom(200_000, async (queue) => {
      for (let n = 0; n < 5; n += 1) await add(queue, 'mixed', `large-${n}`, 300_000)
      for (let n = 0; n < 40; n += 1) await add(queue, 'mixed', `small-${n}`, 1_000)
      const { jobs, read } = await atOnce(queue, 'mixed')
      expect(read).toBe(45)
      expect(jobs).toBeGreaterThan(20)
    }))

  test('give their room back whatever becomes of their jobs', () =>
    withRoom(200_000, async (queue) => {
      for (let n = 0; n < 6; n += 1) await add(queue, 'thrown', `d-${n}`, 300_000)
      const ran = new Set<string>()
      const handler: JobHandler<Data> = async ({ id }) => {
        ran.add(id)
        if (id === 'd-0') throw new Error('no')
        return id === 'd-1' ? { outcome: 'failed', reason: 'no' } : { outcome: 'done' }
      }
      const worker = queue.work<Data>('thrown', handler, { concurrency: 50, attempts: 1, onError: () => undefined })
      await queue.lane('thrown').settled()
      await worker.stop(1_000)
      expect(ran.size).toBe(6)
    }))

  test('are not told to who looks at jobs', () =>
    withRoom(200_000, async (queue) => {
      await add(queue, 'looked-at', 'd-1', 300_000)
      expect(await queue.lane('looked-at').get('d-1')).toMatchObject({ state: 'prioritized', data: { body: '' } })
      expect(await queue.lane('looked-at').list(['prioritized'], 0, 1)).toMatchObject([{ id: 'd-1', data: { body: '' } }])
    }))

  test.each(['apart', 'apart 9999999999999', '{"v":3,"bodyApart":9999999999999,'])('have their size from nobody else: a body %s', (body) =>
    withRoom(200_000, async (queue) => {
      const lane = queue.lane<Data>(`told-${body.length}`)
      await lane.add({ id: 'd-1', data: { body: '' }, body: Buffer.from(body), priority: 7 })
      expect((await lane.backlog()).bytes).toBeLessThan(1_000)
    }),
  )

  test('that another run has dropped meanwhile leave what that one left', () =>
    withRoom(200_000, async (queue) => {
      if (queue.store.kind !== 'redis') throw new Error('not over Redis')
      const { redis } = queue.store
      await add(queue, 'dropped', 'd-first', 300_000)
      await add(queue, 'dropped', 'd-second', 300_000)
      let letGo = () => {}
      const gone = new Promise<void>((resolve) => {
        letGo = resolve
      })
      const seen: Data[] = []
      const handler: JobHandler<Data> = async ({ id, data }) => {
        if (id === 'd-first') await gone
        else seen.push(data)
        return { outcome: 'done' }
      }
      const worker = queue.work<Data>('dropped', handler, { concurrency: 2, onError: () => undefined })
      await eventually(async () => expect((await queue.lane('dropped').counts()).active).toBe(2))
      await redis.hset('{bellhop}:dropped:d-second', 'data', JSON.stringify({ v: 1, data: { body: 'what it left' } }))
      await redis.del('{bellhop}:dropped:d-second:logs')
      letGo()
      await queue.lane('dropped').settled()
      await worker.stop(1_000)
      expect(seen).toEqual([{ body: 'what it left' }])
    }))

  test('that are gone fail their job, and say so', () =>
    withRoom(200_000, async (queue) => {
      if (queue.store.kind !== 'redis') throw new Error('not over Redis')
      await add(queue, 'gone', 'd-1', 300_000)
      await queue.store.redis.del('{bellhop}:gone:d-1:logs')
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
    }))

  test('whose processes end while they wait for room never count as what ended them', async () => {
    const ran: string[] = []
    const ends: (() => Promise<void>)[] = []
    let letGo = () => {}
    const gone = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const handler: JobHandler<Data> = async ({ id }) => {
      ran.push(id)
      return { outcome: 'done' }
    }
    const hanging: JobHandler<Data> = async () => {
      await gone
      return { outcome: 'done' }
    }
    /** A process that has, or has not, given its room to another job. */
    async function process(n: number, isFull: boolean): Promise<Queue> {
      const queue = await openQueue({ url: server.url, bodiesAtOnce: 200_000 })
      const options = { concurrency: 1, backoffMs: 1, onError: () => undefined }
      const workers: LaneWorker[] = []
      if (isFull) {
        await add(queue, `hog-${n}`, 'd-hog', 300_000)
        workers.push(queue.work<Data>(`hog-${n}`, hanging, options))
        await eventually(async () => expect((await queue.lane(`hog-${n}`).counts()).active).toBe(1))
      }
      workers.push(queue.work<Data>('waiting', handler, options))
      ends.push(async () => {
        await Promise.all(workers.map((worker) => worker.stop(0)))
        await queue.close()
      })
      return queue
    }
    const first = await process(0, true)
    if (first.store.kind !== 'redis') throw new Error('not over Redis')
    const { redis } = first.store
    const key = (name: string) => `{bellhop}:waiting:${name}`
    await add(first, 'waiting', 'd-1', 300_000)
    for (let n = 1; n <= 9; n += 1) {
      await eventually(async () => expect(await redis.exists(key('d-1:lock'))).toBe(1))
      // As when that process has ended: the next one that starts finds the job.
      await redis.multi().del(key('d-1:lock')).sadd(key('stalled'), 'd-1').del(key('stalled-check')).exec()
      await process(n, n < 9)
    }
    const lane = first.lane('waiting')
    await eventually(async () => expect((await lane.get('d-1'))?.state).toBe('completed'))
    expect(ran).toEqual(['d-1'])
    const ended = Promise.all(ends.map((end) => end()))
    letGo()
    await ended
  })

  test('are given back in silence where a stop does not wait for their turn', () =>
    withRoom(200_000, async (queue) => {
      for (let n = 0; n < 4; n += 1) await add(queue, 'stopped', `d-${n}`, 300_000)
      const errors: Error[] = []
      const ran: string[] = []
      let letGo = () => {}
      const gone = new Promise<void>((resolve) => {
        letGo = resolve
      })
      const handler: JobHandler<Data> = async ({ id }) => {
        ran.push(id)
        await gone
        return { outcome: 'done' }
      }
      const worker = queue.work<Data>('stopped', handler, { concurrency: 4, onError: (error) => errors.push(error) })
      await eventually(async () => expect((await queue.lane('stopped').counts()).active).toBe(4))
      await eventually(() => expect(ran).toHaveLength(1))
      await worker.stop(50)
      letGo()
      await pause(100)
      expect(ran).toHaveLength(1)
      expect(errors.map(({ message }) => message).filter((message) => message.includes('body'))).toEqual([])
      expect((await queue.lane('stopped').counts()).waiting).toBe(4)
    }))
})
