// Kill -9 before and after every write to a PostgreSQL journal, with a Redis queue: no event is lost or counts twice.
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import type { BotProcessOptions } from '../bot-process.ts'
import { type BotWorld, onEvent, startBotProcess, startBotWorld } from '../bot-world.ts'

const counts = { rule: onEvent, does: '{ spend: 1m }' }
/** Several, so that no merge request is evaluated as often as in a loop. */
const cases = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`counts-${n}`, counts]))

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('killed at every write', () => {
  let redis: TestRedis
  let postgres: TestPostgres
  let world: BotWorld

  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
    world = await startBotWorld(cases, redis.url)
  })
  afterAll(async () => {
    await world?.close()
    await Promise.all([redis?.stop(), postgres?.stop()])
  })

  test('what was begun is ended by a later process, once', async () => {
    let events = 0
    let kills = 0
    /** One more event of the next merge request is posted and evaluated; whether the process was killed. */
    async function run(diesAt?: BotProcessOptions['diesAt']): Promise<boolean> {
      events += 1
      const { length } = world.options.mail
      const mail = world.options.mail
        .filter((_, at) => at === kills % length)
        .map((each) => ({ ...each, entry: { ...each.entry, deliveryId: `event-${events}` } }))
      const options = { ...world.options, journalUrl: postgres.url, mail }
      const bot = await startBotProcess({ ...options, ...(diesAt === undefined ? {} : { diesAt }) })
      const code = await bot.ended
      if (code !== null) expect([code, bot.stderr()]).toEqual([0, ''])
      return code === null
    }
    for (let write = 1, isKilled = true; isKilled; write += 1)
      for (const when of ['before', 'after'] as const) {
        isKilled = await run({ write, when })
        if (!isKilled) break
        expect(await run()).toBe(false)
        kills += 1
      }
    // Each event is posted, is evaluated with a call, and is settled.
    expect(kills).toBeGreaterThan(5)

    // The first write posts the event: a process that died before it had none.
    const posted = Number(postgres.run('SELECT count(*) FROM bellhop.events WHERE event IS NOT NULL'))
    expect(posted).toBe(events - 1)
    const spent = [...world.iids.values()].map(async (iid) => {
      const { time_stats } = (await world.bot.mergeRequests.get({ id: world.project, merge_request_iid: iid })).body
      return (time_stats?.total_time_spent ?? 0) / 60
    })
    expect((await Promise.all(spent)).reduce((sum, minutes) => sum + minutes, 0)).toBe(posted)
    expect(postgres.run('SELECT count(*) FROM bellhop.events WHERE processed_at IS NULL')).toBe('0')
  })
})
