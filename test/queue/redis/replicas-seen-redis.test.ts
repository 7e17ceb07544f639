// Whether a replica confirms what is added is seen: in the log, by a metric, and by `bellhop doctor`.
import { Redis } from 'ioredis'
import { examineQueue } from '../../../src/cli/doctor/queue.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { onlineReplicas } from '../../../src/queue/redis/replica.ts'
import { eventually } from '../../eventually.ts'
import { confirmingReplica } from '../../servers/confirming-replica.ts'
import { startRedisSentinels } from '../../servers/redis-sentinels.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'

async function doctor(url: string): Promise<[is: string, message: string][]> {
  const findings = await examineQueue(url)
  return findings.filter(({ check }) => check === 'replica').map(({ is, message }) => [is, message])
}

describe.skipIf(!hasRedisServer())('a replica that goes and comes', () => {
  test('is shown when it changes, counted, and named by the doctor', async () => {
    const sentinels = await startRedisSentinels()
    const { master, replica, url } = sentinels
    await confirmingReplica(master.url)
    const shown: boolean[] = []
    const queues = await openQueues({ url, onReplicas: (online) => shown.push(online) })
    const store = queues.store.kind === 'redis' ? queues.store.redis : undefined
    const count = () => (store === undefined ? undefined : onlineReplicas(store))
    const add = async () => void (await queues.queue('deliveries').add({ data: 'x', onReplica: true }))
    await add()
    expect(await count()).toBe(1)
    expect(await doctor(url)).toEqual([
      ['ok', 'A replica confirms deliveries.'],
      ['warn', 'Redis has min-replicas-to-write 0: what a master that is cut off takes is lost.'],
    ])

    await replica.kill()
    await eventually(async () => expect(await count()).toBe(0))
    await expect(add()).rejects.toThrow('A replica has gone')
    expect(shown).toEqual([false])
    const admin = new Redis(master.url)
    await admin.config('SET', 'min-replicas-to-write', '1')
    admin.disconnect()
    expect(await doctor(url)).toEqual([
      ['warn', 'No replica is online: a failover may lose deliveries.'],
      ['ok', 'A master without a replica takes no writes.'],
    ])

    await replica.start()
    await eventually(async () => {
      await add()
      expect(shown).toEqual([false, true])
    })
    await queues.close()
    await sentinels.stop()
  })

  test('is not asked for by the doctor where one server is configured', async () => {
    const server = await startRedis()
    expect(await doctor(server.url)).toEqual([])
    await server.stop()
  })
})
