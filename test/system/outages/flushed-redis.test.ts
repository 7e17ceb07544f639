// A Redis that loses everything under load: what its jobs were for is in the journal, and is done, once.
import { Redis } from 'ioredis'
import { eventually } from '../../eventually.ts'
import { hasPostgresServer } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: answer
    command: hello
    then: { comment: "Hello." }
  - name: hurry later
    if: { age: { older_than: 12h } }
    then: { label: { add: old } }
`
/** More than are evaluated at once. */
const many = 40

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('Redis that is flushed', () => {
  let redis: TestRedis
  let world: TestWorld

  beforeAll(async () => {
    redis = await startRedis()
    world = await startTestWorld({ rules, queueUrl: redis.url, settings: { BELLHOP_SWEEP_EVERY: '24h' } })
  })
  afterAll(async () => {
    await world?.end()
    await redis?.stop()
  })

  const hellos = async (iid: number) =>
    (await world.service.mergeRequests.notes.list(world.ref(iid))).body.filter(({ body }) => body?.startsWith('Hello.'))
      .length

  test('loses no event that was read, and none is answered twice', async () => {
    const { bellhop } = world
    const alice = world.as(world.people.alice)
    const opened: number[] = []
    for (let n = 0; n < many; n += 1) opened.push((await world.openMergeRequest({ branch: `b-${n}` })).iid)
    await world.settle()
    let isFlushed = () => {}
    const flushed = new Promise<void>((resolve) => {
      isFlushed = resolve
    })
    for (let n = 0; n < many; n += 1) world.before('mergeRequests.notes.create', () => flushed, { username: 'bellhop' })
    const answered = Promise.all(
      opened.map((iid) => alice.mergeRequests.notes.create({ ...world.ref(iid), body: '@bellhop hello' })),
    )
    await eventually(async () => {
      const { items } = await bellhop.journal.deliveries.list({ kind: 'note.create', state: 'read', limit: 100 })
      expect(items).toHaveLength(many)
    })
    const client = new Redis(redis.url)
    await client.flushall()
    client.disconnect()
    isFlushed()
    await answered
    expect((await bellhop.journal.events.waiting(undefined, 100)).length).toBeGreaterThan(0)
    await bellhop.bot.queues.sweeps.add({ data: { is: 'sweep', why: 'schedule' } })
    await eventually(async () => expect(await bellhop.journal.events.waiting(undefined, 100)).toEqual([]))
    expect(await Promise.all(opened.map(hellos))).toEqual(opened.map(() => 1))
  })
})
