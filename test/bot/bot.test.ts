// The whole bot on a real queue and journal: what it forgets, and what each of its processes does.
import { createBot } from '../../src/bot/bot.ts'
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

test('what is stored no longer goes at the start: a bot that is started every hour would else never drop it', async () => {
  const bot = makeBot(() => Date.parse('2026-11-21T13:00:00.000Z'))
  const saved = async (id: string, receivedAt: string) => {
    const record = { id, receivedAt, header: 'Push Hook', bytes: 1, state: 'read' as const, mergeRequests: [] }
    await stores.journal.deliveries.save(record)
    return id
  }
  const old = await saved('d-old', '2026-10-01T12:00:00.000Z')
  const young = await saved('d-young', '2026-11-21T12:00:00.000Z')
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
