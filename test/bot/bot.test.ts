// The whole bot on a real queue and journal: what replaying a delivery does, and says; and what it forgets.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createBot } from '../../src/bot/bot.ts'
import type { DeliveryRecord } from '../../src/journal/types.ts'
import type { Queues } from '../../src/queue/types.ts'
import { makeClient } from '../client/world.ts'
import { eventually } from '../eventually.ts'
import { useStores } from './stores.ts'
import { botOptions } from './test-context.ts'

const stores = useStores()

function makeBot(now = () => Date.now(), backend: Queues = stores.queue) {
  const { client } = makeClient()
  return createBot({ ...botOptions, client, backend, journal: stores.journal, now })
}

async function saved(
  state: DeliveryRecord['state'],
  body?: string,
  receivedAt = '2026-11-21T12:00:00.000Z',
): Promise<string> {
  const id = `d-${randomUUID()}`
  await stores.journal.deliveries.save(
    { id, receivedAt, header: 'Push Hook', bytes: 1, state, mergeRequests: [] },
    body === undefined ? {} : { body: { text: body, keepMs: 60_000 } },
  )
  return id
}

describe('replay', () => {
  test('queues a delivery again, and records by whom', async () => {
    const bot = makeBot()
    const id = await saved('read')
    expect(await bot.replay.delivery(id, 'ann', 'a fix')).toEqual({ is: 'replayed', number: 1 })
    expect((await stores.journal.deliveries.find(id))?.replays).toEqual([
      { at: expect.any(String), by: 'ann', why: 'a fix' },
    ])
    const waiting = await bot.queues.deliveries.list(['waiting', 'prioritized'], 0, 10)
    expect(waiting.map(({ data }) => data)).toEqual([
      { is: 'again', delivery: id, why: 'replay', replay: { number: 1, at: expect.any(String) } },
    ])
  })
})

test('what is kept no longer goes at the start: a bot that is started every hour would else never drop it', async () => {
  const bot = makeBot(() => Date.parse('2026-11-21T13:00:00.000Z'))
  const [old, young] = [await saved('read', undefined, '2026-10-01T12:00:00.000Z'), await saved('read')]
  bot.start()
  await eventually(async () => expect(await stores.journal.deliveries.find(old)).toBeUndefined())
  await bot.stop(1_000)
  expect(await stores.journal.deliveries.find(young)).toBeDefined()
})

test.each([
  { only: 'worker', works: true, looksForSpace: false },
  { only: undefined, works: true, looksForSpace: true },
] as const)(
  'only $only: works on jobs $works, looks whether the queue has space $looksForSpace',
  async ({ only, works, looksForSpace }) => {
    const asked = { worked: false, space: false }
    const bot = makeBot(undefined, {
      ...stores.queue,
      work(...given) {
        asked.worked = true
        return stores.queue.work(...given)
      },
      space() {
        asked.space = true
        return stores.queue.space()
      },
    })
    bot.start(only)
    await bot.stop(1_000)
    expect(asked).toEqual({ worked: works, space: looksForSpace })
  },
)

test.each(['redis', 'postgres', 'embedded'] as const)('a worker on %s reads ten deliveries at once', async (kind) => {
  const concurrency = new Map<string, number>()
  const bot = makeBot(undefined, {
    ...stores.queue,
    kind,
    work(name, handler, options) {
      concurrency.set(name.split('-')[0] ?? '', options.concurrency)
      return stores.queue.work(name, handler, options)
    },
  })
  bot.start('worker')
  await bot.stop(1_000)
  // Each may hold a body of 25 MB.
  expect(concurrency.get('deliveries')).toBe(10)
})
