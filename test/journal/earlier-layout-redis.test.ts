// A journal in Redis that an earlier Bellhop filled: uncompressed, with longer members.
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournal } from '../../src/journal/open-journal.ts'
import { earlierMember, timeIn } from '../../src/journal/records/keys.ts'
import type { DeliveryRecord, Journal } from '../../src/journal/types.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../servers/redis-server.ts'
import { DAY_MS, decision, deliveriesOf, delivery, event } from '../suites/journal/records.ts'

const of = { service: 'one', project: 7, iid: 3 }
const text = JSON.stringify({ description: 'as it came '.repeat(1_000) })
const from = Date.parse('2026-11-21T10:00:00.000Z')

describe.skipIf(!hasRedisServer())('a journal that an earlier Bellhop filled', () => {
  let server: TestRedis
  let queues: Queues
  let journal: Journal
  let redis: Redis
  const allDeliveries = deliveriesOf(() => journal)

  beforeEach(async () => {
    server = await startRedis()
    queues = await openQueues({ url: server.url })
    journal = await openJournal(queues.store)
    redis = new Redis(server.url)
  })
  afterEach(async () => {
    redis.disconnect()
    await queues.close()
    await server.stop()
  })

  const at = (n: number) => new Date(from + n).toISOString()
  const record = (n: number, given: Partial<DeliveryRecord> = {}): DeliveryRecord =>
    delivery({ id: `d-${n}`, receivedAt: at(n), state: 'read', event: event(), mergeRequests: [of], ...given })

  async function save(n: number): Promise<void> {
    await journal.saveDelivery(record(n), { text, keepMs: DAY_MS })
    const saved = decision(of, at(n), `decision-${n}`)
    await journal.saveDecision({ ...saved, deliveries: [`d-${n}`], evaluation: `evaluation-${n}` })
  }

  /** Stores what the journal holds now as versions before layout 2 did. */
  async function asEarlier(): Promise<void> {
    for (const index of await redis.keys('*:journal:index:*'))
      for (const member of await redis.zrange(index, '0', '-1')) {
        if (!/^\d{16} /.test(member)) continue
        expect(earlierMember(member)).toMatch(/^\d{16} \["(delivery|decision|evaluation)","[^"]+"\]$/)
        await redis.zrem(index, member)
        await redis.zadd(index, 0, earlierMember(member))
      }
    for (const body of await redis.keys('*:journal:record:\\["body"*')) await redis.set(body, JSON.stringify(text))
    await redis.set('bellhop:journal:layout', 1)
  }

  test('is read on, each record once, with newer ones', async () => {
    for (const n of [1, 2, 2_000]) await save(n)
    await asEarlier()
    journal = await openJournal(queues.store)
    expect(await redis.get('bellhop:journal:layout')).toBe('2')
    for (const n of [3, 1_999, 2_001]) await save(n)
    const newestFirst = [2_001, 2_000, 1_999, 3, 2, 1]
    for (const limit of [1, 2, 100])
      for (const filter of [{}, { project: 7 }, { state: 'read' as const }])
        expect((await allDeliveries(filter, limit)).map(({ id }) => id)).toEqual(newestFirst.map((n) => `d-${n}`))
    const ids = async (filter: object) => (await journal.decisions({ limit: 9, ...filter })).items.map(({ id }) => id)
    expect(await ids({ mergeRequest: of })).toEqual(newestFirst.map((n) => `decision-${n}`))
    for (const n of newestFirst) {
      expect(await journal.body(`d-${n}`)).toBe(text)
      expect(await ids({ delivery: `d-${n}` })).toEqual([`decision-${n}`])
      expect(await ids({ evaluation: `evaluation-${n}` })).toEqual([`decision-${n}`])
    }
    expect(await journal.idsFrom('evaluation', 'evaluation-2', 9)).toHaveLength(3)
  })

  test('lists a delivery once when it is saved again', async () => {
    for (const n of [1, 2]) await save(n)
    await asEarlier()
    await journal.saveDelivery(record(1, { state: 'unreadable', reason: 'changed' }))
    const listed = await journal.deliveries({ limit: 9 })
    expect(listed.items.map(({ id, state }) => [id, state])).toEqual([
      ['d-2', 'read'],
      ['d-1', 'unreadable'],
    ])
    expect((await journal.deliveries({ limit: 9, state: 'read' })).items.map(({ id }) => id)).toEqual(['d-2'])
  })

  test('leaves nothing in its indices after its retention', async () => {
    for (const n of [1, 2]) await save(n)
    await asEarlier()
    await save(3)
    await journal.saveDelivery(record(1))
    await journal.prune(new Date(from + 31 * DAY_MS))
    const left: string[] = []
    for (const index of await redis.keys('*:journal:index:*'))
      left.push(...(await redis.zrange(index, '0', '-1')).filter((each) => /^\d{16}$/.test(timeIn(each))))
    expect(left).toEqual([])
    expect((await redis.keys('*:journal:record:*')).filter((each) => /"(delivery|decision)"/.test(each))).toEqual([])
  })
})
