// A connection that gives up waiting: what was given up is not sent afterwards (it may have been done again by then, and more after it), and what was answered is not held.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AnswersInTime } from '../../src/queue/answers-in-time.ts'
import { liveMemory } from '../live-memory.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'

describe.skipIf(!hasRedisServer())('a connection that gives up waiting', () => {
  let server: TestRedis
  let redis: AnswersInTime

  beforeAll(async () => {
    server = await startRedis()
    redis = new AnswersInTime(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 400, withinMs: 800 })
    redis.on('error', () => undefined)
    await redis.ping()
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })

  it('lets go of what was answered as more is asked, before it next looks at the time', async () => {
    // So it never looks at the time.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const unhurried = new AnswersInTime(server.url, { withinMs: 800 })
    try {
      const before = await liveMemory()
      for (let n = 0; n < 50; n += 1) await unhurried.publish('nobody listens', Buffer.alloc(1_000_000))
      await unhurried.ping()
      expect((await liveMemory()) - before).toBeLessThan(25_000_000)
    } finally {
      vi.useRealTimers()
      unhurried.disconnect()
    }
  })

  it('sends nothing of what it gave up while it was not connected: neither commands nor transactions', async () => {
    redis.stream.destroy()
    server.freeze()
    // Asked before its greeting of Redis, and so given up while that may still be answered.
    const asked = await Promise.allSettled([
      redis.set('alone', 'late'),
      redis.multi().set('together', 'late').set('as well', 'late').exec(),
    ])
    expect(asked).toMatchObject(Array(2).fill({ status: 'rejected', reason: { message: 'Command timed out' } }))
    const greeted = once(redis, 'ready')
    server.thaw()
    await greeted
    expect(await redis.mget('alone', 'together', 'as well')).toEqual([null, null, null])
    expect(await redis.multi().set('together', 'in time').get('together').exec()).toEqual([
      [null, 'OK'],
      [null, 'in time'],
    ])
  })
})
