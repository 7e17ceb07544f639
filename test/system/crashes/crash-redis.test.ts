// kill -9 of Bellhop's processes over a Redis, and of that Redis.
import { setTimeout as pause } from 'node:timers/promises'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { eventually } from '../../eventually.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { crashSuite } from './crash.suite.ts'
import { chances } from './queue-processes.ts'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    // It renews locks of one second, and processes die here, not Redis: it must not stall for a disk that is busy.
    redis = await startRedis([['appendfsync', 'no']])
  })
  afterAll(() => redis?.stop())

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
})
