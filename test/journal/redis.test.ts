// The journal beside a queue in Redis, on a server of the tests' own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JournalUnavailable } from '../../src/journal/errors.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import { redisStore } from '../../src/journal/stores/redis-store.ts'
import type { Journal } from '../../src/journal/types.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { eventually } from '../eventually.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../servers/redis-server.ts'
import { journalSuite } from '../suites/journal/journal.suite.ts'
import { journalStoreSuite } from '../suites/journal/store.suite.ts'

describe.skipIf(!hasRedisServer())('redis', () => {
  let redis: TestRedis
  let queue: Queues
  let journal: Journal

  beforeAll(async () => {
    redis = await startRedis()
    queue = await openQueues({ url: redis.url })
    journal = await openJournal(queue.store)
  })

  afterAll(async () => {
    await queue.close()
    await redis.stop()
  })

  journalSuite(
    () => journal,
    (retention) => openJournal(queue.store, retention),
  )

  journalStoreSuite(() => {
    if (queue.store.kind !== 'redis') throw new Error('the store of a queue in Redis is in Redis')
    return redisStore(queue.store.redis, queue.store.prefix)
  })
})

describe.skipIf(!hasRedisServer())('what is written within one turn', () => {
  test('is written in order; a guard that skips one write skips no other', async () => {
    const redis = await startRedis()
    const queue = await openQueues({ url: redis.url })
    const journal = await openJournal(queue.store)
    const [event, receivedAt] = [
      { kind: 'push', at: '2026-11-22T12:00:00.000Z', actor: {}, project: 7 },
      '2026-11-22T12:00:00.000Z',
    ]
    const of = (id: string) => ({
      id,
      receivedAt,
      header: 'Some Hook',
      bytes: 2,
      mergeRequests: [],
      event,
    })
    await journal.saveDelivery({ ...of('known'), state: 'read' }, { text: 'as it came', keepMs: 60_000 })
    await Promise.all([
      journal.saveDelivery({ ...of('a'), state: 'refused' }),
      journal.saveDelivery({ ...of('known'), state: 'received' }, { text: 'late', keepMs: 60_000 }),
      journal.saveDelivery({ ...of('a'), state: 'unreadable', reason: 'the last' }, { text: 'of a', keepMs: 60_000 }),
      journal.saveDelivery({ ...of('b'), state: 'read' }),
    ])
    const states = await Promise.all(['known', 'a', 'b'].map(async (id) => (await journal.delivery(id))?.state))
    expect(states).toEqual(['read', 'unreadable', 'read'])
    expect(await Promise.all(['known', 'a'].map((id) => journal.body(id)))).toEqual(['as it came', 'of a'])
    const now = new Date(receivedAt)
    expect(await journal.projectCounts(7, now)).toMatchObject({ deliveries: 3, unread: 2 })
    await queue.close()
    await redis.stop()
  })
})

describe.skipIf(!hasRedisServer())('redis in trouble', () => {
  test('a Redis that goes down is a typed error in time, and what was acknowledged is there when it is back', async () => {
    const redis = await startRedis()
    const queue = await openQueues({ url: redis.url })
    const journal = await openJournal(queue.store)
    await journal.markProject(1, 'mark', 'kept')
    await redis.kill()
    const from = performance.now()
    await expect(journal.projectMark(1, 'mark')).rejects.toThrow(JournalUnavailable)
    expect(performance.now() - from).toBeLessThan(2_000)
    await redis.start()
    await eventually(async () => expect(await journal.projectMark(1, 'mark')).toBe('kept'))
    await queue.close()
    await redis.stop()
  })
})
