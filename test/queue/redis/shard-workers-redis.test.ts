// The workers of several shards: one concurrency for all, one merge request at a time, and a pause for all.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shardOf } from '../../../src/queue/bullmq/shard-of.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { JobHandler, Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { gate, queuesOf } from '../../suites/queue/test-queues.ts'

interface Data {
  project: number
  iid: number
}
const SHARDS = 4

/** Projects of one shard, and of another. */
const inShard = (shard: number, count: number) => {
  const projects: number[] = []
  for (let project = 1; projects.length < count; project += 1)
    if (shardOf({ data: { project } }, SHARDS) === shard) projects.push(project)
  return projects
}

describe.skipIf(!hasRedisServer())('the workers of several shards', () => {
  let redis: TestRedis
  let queues: Queues
  beforeAll(async () => {
    redis = await startRedis()
    queues = await openQueues({ url: redis.url, shards: SHARDS })
  })
  afterAll(async () => {
    await queues?.close()
    await redis?.stop()
  })
  const { fresh, worked } = queuesOf<Data>(() => queues)
  const job = (project: number, iid: number) => ({ data: { project, iid }, deduplicationKey: `${project}!${iid}` })

  /** Holds every job until it is let go; tells how many run. */
  function holding() {
    const held: { data: Data; letGo: () => void }[] = []
    let most = 0
    const handler: JobHandler<Data> = ({ data }) =>
      new Promise((resolve) => {
        held.push({ data, letGo: () => resolve({ outcome: 'done' }) })
        most = Math.max(most, held.length)
      })
    return { held, most: () => most, handler }
  }

  test('run no more jobs than the concurrency, from whichever shards', async () => {
    const queue = fresh()
    let running = 0
    let most = 0
    const shards = new Set<number>()
    const handler: JobHandler<Data> = async ({ data }) => {
      most = Math.max(most, ++running)
      shards.add(shardOf({ data }, SHARDS))
      await new Promise((resolve) => setTimeout(resolve, 2))
      running -= 1
      return { outcome: 'done' }
    }
    for (let project = 1; project <= 100; project += 1) await queue.add(job(project, 1))
    await worked(queue, handler, () => queue.settled(), { concurrency: 5 })
    expect(most).toBe(5)
    expect(shards.size).toBe(SHARDS)
    expect((await queue.counts()).completed).toBe(100)
  })

  test('all serve one shard when only that one has work', async () => {
    const queue = fresh()
    const { held, handler } = holding()
    const [project = 0] = inShard(2, 1)
    for (let iid = 1; iid <= 12; iid += 1) await queue.add(job(project, iid))
    await worked(
      queue,
      handler,
      async () => {
        await eventually(() => expect(held).toHaveLength(6))
        // Of those that wait, none is taken that another process could run.
        expect((await queue.counts()).waiting).toBe(6)
        for (const { letGo } of held.splice(0)) letGo()
        await eventually(() => expect(held).toHaveLength(6))
        for (const { letGo } of held) letGo()
        await queue.settled()
      },
      { concurrency: 6 },
    )
  })

  test('take what others leave, while their own jobs still run', async () => {
    const queue = fresh()
    const { held, handler } = holding()
    const [[a = 0], [b = 0]] = [inShard(0, 1), inShard(1, 1)]
    for (let iid = 1; iid <= 4; iid += 1) await queue.add(job(a, iid))
    await worked(
      queue,
      handler,
      async () => {
        await eventually(() => expect(held).toHaveLength(4))
        for (let iid = 1; iid <= 8; iid += 1) await queue.add(job(b, iid))
        // The other shard has taken one, which waits for a place.
        await eventually(async () => expect((await queue.counts()).active).toBe(5))
        for (const { letGo } of held.splice(0)) letGo()
        // None of these ends meanwhile: its worker has to be woken.
        await eventually(() => expect(held.map(({ data }) => data.project)).toEqual([b, b, b, b]))
        for (const { letGo } of held.splice(0)) letGo()
        await eventually(() => expect(held).toHaveLength(4))
        for (const { letGo } of held) letGo()
        await queue.settled()
      },
      { concurrency: 4 },
    )
  })

  test('evaluate one merge request at a time, also with two processes and a storm of events', async () => {
    const other = await openQueues({ url: redis.url, shards: SHARDS })
    const queue = fresh()
    const running = new Map<string, number>()
    let atOnce = 0
    const runs = new Map<string, number>()
    const handler: JobHandler<Data> = async ({ data }) => {
      const key = `${data.project}!${data.iid}`
      running.set(key, (running.get(key) ?? 0) + 1)
      runs.set(key, (runs.get(key) ?? 0) + 1)
      atOnce = Math.max(atOnce, ...running.values())
      await new Promise((resolve) => setTimeout(resolve, 5))
      running.set(key, (running.get(key) ?? 0) - 1)
      return { outcome: 'done' }
    }
    const second = other.work<Data>(queue.name, handler, { concurrency: 5, onError: () => undefined })
    const elsewhere = other.queue<Data>(queue.name)
    await worked(queue, handler, async () => {
      for (let n = 0; n < 300; n += 1) await (n % 2 === 0 ? queue : elsewhere).add(job(n % 7, n % 3))
      await queue.settled()
    })
    await second.stop(1_000)
    expect(atOnce).toBe(1)
    expect(runs.size).toBe(21)
    await other.close()
  })

  test('all stop for a pause, also with jobs that wait for a free place', async () => {
    const queue = fresh()
    const first = gate()
    const ran: { at: number; project: number }[] = []
    const handler: JobHandler<Data> = async ({ data }) => {
      ran.push({ at: Date.now(), project: data.project })
      if (ran.length > 1) return { outcome: 'done' }
      await first.opened
      return { outcome: 'pause', delayMs: 500, reason: 'a rate limit' }
    }
    const projects = [0, 1, 2, 3].flatMap((shard) => inShard(shard, 2))
    for (const project of projects) await queue.add(job(project, 1))
    await worked(
      queue,
      handler,
      async () => {
        await eventually(async () => expect((await queue.counts()).active).toBe(SHARDS))
        first.open()
        const from = Date.now()
        await queue.settled()
        for (const { at } of ran.slice(1)) expect(at - from).toBeGreaterThanOrEqual(450)
        expect(ran).toHaveLength(projects.length + 1)
      },
      { concurrency: 1 },
    )
  })
})
