// The token's expiry: notified 30, 7 and 1 days before, each once, and no alarm where the service does not tell it.
import { checkTokenExpiry } from '../../src/bot/housekeeping.ts'
import type { TokenExpiry } from '../../src/bot/service/bot-token.ts'
import { silent, testQueues, useStores } from './stores.ts'
import { notifiedIn, notifying, testContext } from './test-context.ts'

const stores = useStores()

function expiryWorld(first: TokenExpiry) {
  const queues = testQueues(stores)
  const counted: (number | undefined)[] = []
  const warn = vi.fn()
  const world = { expiry: first, notified: () => notifiedIn(queues), counted, warn, on }
  async function on(date: string) {
    const context = testContext({
      journal: stores.journal,
      queues,
      operator: notifying,
      log: { ...silent, warn },
      now: () => Date.parse(`${date}T12:00:00Z`),
      counting: { tokenExpires: (at?: number) => void counted.push(at) } as never,
    })
    await checkTokenExpiry(context, async () => world.expiry)
    return (await world.notified()).map((each) => each.kind === 'token_expires' && each.about.daysLeft)
  }
  return world
}

test('each step is notified once, with the days that are left', async () => {
  const world = expiryWorld({ is: 'on', date: '2026-12-31', token: 7 })
  expect(await world.on('2026-11-30')).toEqual([])
  expect(await world.on('2026-12-01')).toEqual([30])
  expect(await world.on('2026-12-02')).toEqual([30])
  expect(await world.on('2026-12-23')).toEqual([30])
  expect(await world.on('2026-12-24')).toEqual([30, 7])
  expect(await world.on('2026-12-30')).toEqual([30, 7, 1])
  expect(await world.on('2026-12-30')).toEqual([30, 7, 1])
  expect((await world.notified())[0]).toMatchObject({
    kind: 'token_expires',
    about: { expiresAt: '2026-12-31', daysLeft: 30 },
  })
  expect(world.counted.at(-1)).toBe(Date.parse('2026-12-31T00:00:00Z'))
})

test('a bot that starts late notifies the last step only', async () => {
  const world = expiryWorld({ is: 'on', date: '2026-12-31', token: 7 })
  expect(await world.on('2026-12-26')).toEqual([5])
  expect(await world.on('2026-12-27')).toEqual([5])
  expect(world.warn.mock.calls).toMatchObject([[{ date: '2026-12-31', days: 5 }, 'the service token expires soon']])
})

test('another token begins anew', async () => {
  const world = expiryWorld({ is: 'on', date: '2026-12-31', token: 7 })
  await world.on('2026-12-30')
  world.expiry = { is: 'on', date: '2027-01-05', token: 8 }
  expect(await world.on('2026-12-30')).toEqual([1, 6])
})

test.each<TokenExpiry>([{ is: 'never' }, { is: 'unknown', reason: '404' }])('%o is no alarm', async (expiry) => {
  const world = expiryWorld(expiry)
  expect(await world.on('2026-12-30')).toEqual([])
  expect(world.counted).toEqual([undefined])
})
