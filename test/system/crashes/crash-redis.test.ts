// kill -9 of Bellhop's processes over a Redis, and of that Redis.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { crashSuite } from './crash.suite.ts'
import { chances, overlaps, queueProcess, readRecord } from './queue-processes.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    // It renews locks of one second, and processes die here, not Redis: it must not stall for a disk that is busy.
    redis = await startRedis([['appendfsync', 'no']])
  })
  afterAll(() => redis?.stop())

  function recordFile(): string {
    const { folder } = ownFolder()
    const record = join(folder, 'record')
    appendFileSync(record, '')
    return record
  }

  crashSuite(() => redis.url)

  test('kill -9 of Redis itself while adding: what was acknowledged is in its append-only file, and adding goes on by itself', async () => {
    const own = await startRedis()
    const queue = await openQueues({ url: own.url })
    const lane = queue.queue<number>('adds')
    const acknowledged: string[] = []
    let over = false
    const adders = Array.from({ length: 20 }, async (_, from) => {
      for (let n = from; !over; n += 20) {
        // While Redis is away, adding is refused.
        const job = await lane.add({ id: `j-${n}`, data: n }).catch(() => undefined)
        if (job !== undefined) acknowledged.push(job.id)
      }
    })
    const chance = chances(7)
    for (let round = 0; round < 3; round += 1) {
      const sofar = acknowledged.length
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(sofar))
      await pause(chance() * 300)
      await own.kill()
      await own.start()
    }
    const last = acknowledged.length
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(last))
    over = true
    await Promise.all(adders)
    const stored = await Promise.all(acknowledged.map((id) => lane.get(id)))
    const lost = stored.filter((job) => job === undefined).length
    expect(lost).toBe(0)
    await queue.close()
    await own.stop()
  })

  test('three processes over one hot key and twenty others: none ever runs twice at once, and the last add is worked on', async () => {
    const record = recordFile()
    const lane = 'many-workers'
    const start = () => queueProcess('work', { url: redis.url, lane, record, lockMs: 30_000 })
    const workers = await Promise.all([start(), start(), start()])
    await eventually(() => expect(workers.every((worker) => worker.said().includes('ready'))).toBe(true))
    const queue = await openQueues({ url: redis.url })
    const added = queue.queue<{ n: number }>(lane)
    for (let n = 0; n < 400; n += 1) {
      const job = n % 2 === 0 ? 0 : 1 + (n % 20)
      await added.add({ data: { n: job }, deduplicationKey: `key-${job}` })
    }
    const begunBefore = readRecord(record).filter(({ is, job }) => is === 'begin' && job === 0).length
    await added.add({ data: { n: 0 }, deduplicationKey: 'key-0' })
    await added.settled({ timeoutMs: 60_000 })
    const steps = readRecord(record)
    for (const worker of workers) await worker.kill()
    await queue.close()
    const begun = steps.filter(({ is }) => is === 'begin')
    const hot = begun.filter(({ job }) => job === 0).length
    expect(overlaps(steps)).toBe(0)
    expect(new Set(begun.map(({ by }) => by)).size).toBeGreaterThan(1)
    expect(hot).toBeGreaterThan(begunBefore)
  })
})
