// A master dies while its replica is behind: what was acknowledged is in the queue of the replica that replaces it.
import { Redis } from 'ioredis'
import { type DeliveryJob, requeueDelivery } from '../../../src/bot/intake/delivery-job.ts'
import { createLog } from '../../../src/cli/output/log.ts'
import { openQueue, startReceiver } from '../../../src/cli/server/run-server.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { confirmingReplica, PINGS_SOON } from '../../servers/confirming-replica.ts'
import { startRedisSentinels } from '../../servers/redis-sentinels.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { configOf } from '../config-of.ts'

/** `promote`: the replica becomes the master; resolves with its URL. */
async function replicated() {
  const settings: [string, string][] = [['repl-diskless-sync-delay', '0'], PINGS_SOON]
  const master = await startRedis(settings)
  const replica = await startRedis([...settings, ['replicaof', `127.0.0.1 ${master.port}`]])
  return {
    ...{ url: master.url, master, replica },
    async promote() {
      const admin = new Redis(replica.url)
      await admin.replicaof('NO', 'ONE')
      admin.disconnect()
      return replica.url
    },
    stop: async () => void (await Promise.all([master.stop(), replica.stop()])),
  }
}

async function watched() {
  const sentinels = await startRedisSentinels()
  return {
    ...sentinels,
    async promote() {
      await sentinels.promoted(sentinels.replica)
      return sentinels.url
    },
  }
}

/** Only a receiver: what it acknowledges waits in the queue. */
async function receiverOf(queueUrl: string) {
  const { folder } = ownFolder()
  const config = configOf({
    BELLHOP_HOOK_SECRET: 'secret',
    BELLHOP_ONLY: 'receiver',
    BELLHOP_QUEUE_URL: queueUrl,
    BELLHOP_RULES: folder,
  })
  const log = createLog({ level: 'fatal', secrets: [] })
  const bellhop = await startReceiver(config, { log })
  onTestFinished(() => bellhop.stop())
  const queue = await openQueue(config, { log })
  onTestFinished(() => queue.close())
  const deliveries = queue.queue<DeliveryJob>('deliveries')
  return {
    queue: deliveries.name,
    /** Whether a replay of the delivery was acknowledged. */
    replay: (id: string, number: number) =>
      requeueDelivery(deliveries, id, { why: 'replay', replay: { number, at: '' } }).then(
        () => true,
        () => false,
      ),
    /** The delivery's id, if it was acknowledged. */
    async deliver(key: string): Promise<string | undefined> {
      const headers = { 'content-type': 'application/json', 'x-gitlab-token': 'secret', 'idempotency-key': key }
      const answer = await fetch(`${bellhop.url}/hooks`, { method: 'POST', headers, body: '{"object_kind":"note"}' })
      if (answer.status !== 202) return undefined
      return ((await answer.json()) as { id: string }).id
    },
  }
}

describe.skipIf(!hasRedisServer())('a master that dies while its replica is behind', () => {
  test.each([
    ['a replica', replicated],
    ['a replica and Sentinels', watched],
  ])('loses no delivery and no replay that was acknowledged: %s', async (_with, start) => {
    const redis = await start()
    onTestFinished(() => redis.stop())
    await confirmingReplica(redis.master.url)
    const receiver = await receiverOf(redis.url)
    const first = (await receiver.deliver('first')) ?? 'refused'
    const acknowledged = [first]
    const replays = [await receiver.replay(first, 1)]
    expect(replays).toEqual([true])

    redis.replica.freeze()
    const admin = new Redis(redis.master.url)
    // More than the sockets between the two hold: what follows reaches the replica after it.
    await admin.set('large', 'x'.repeat(30_000_000))
    admin.disconnect()
    for (const key of ['second', 'third']) acknowledged.push((await receiver.deliver(key)) ?? first)
    for (const number of [2, 3]) replays.push(await receiver.replay(first, number))

    await redis.master.kill()
    redis.replica.thaw()
    const queues = await openQueues({ url: await redis.promote() })
    onTestFinished(() => queues.close())
    const queue = queues.queue<DeliveryJob>(receiver.queue)
    const waiting = await eventually(() => queue.list(['waiting', 'prioritized'], 0, 100))
    const found = waiting.map(({ id }) => id)
    expect(acknowledged.filter((id) => !found.includes(id))).toEqual([])
    expect(waiting.filter(({ data }) => data.is === 'again').length).toBeGreaterThanOrEqual(
      replays.filter((wasTaken) => wasTaken).length,
    )
  })
})
