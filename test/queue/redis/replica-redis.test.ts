// What a replica has to confirm before a job counts as added.
import { Redis } from 'ioredis'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { replicaConfirmation } from '../../../src/queue/redis/replica.ts'
import { eventually } from '../../eventually.ts'
import { confirmingReplica, PINGS_SOON } from '../../servers/confirming-replica.ts'
import { startRedisSentinels } from '../../servers/redis-sentinels.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'

describe.skipIf(!hasRedisServer())('a replica that is behind when its master dies', () => {
  /** More than the sockets between the two hold. */
  const large = 'x'.repeat(200_000)

  test.each([
    ['without waiting for it: some of what was acknowledged is lost', false],
    ['waiting for it: adds are refused meanwhile, and nothing is lost', true],
  ])('%s', async (name, waits) => {
    const sentinels = await startRedisSentinels()
    await confirmingReplica(sentinels.master.url)
    const queues = await openQueues({ url: sentinels.url })
    const queue = queues.queue<string>('deliveries')
    const acknowledged: string[] = []
    const add = (id: string) =>
      queue.add({ id, data: large, ...(waits && { onReplica: true }) }).then(
        () => acknowledged.push(id),
        () => undefined,
      )
    for (let n = 0; n < 10; n += 1) await add(`before-${n}`)
    expect(acknowledged).toHaveLength(10)
    sentinels.replica.freeze()
    const from = performance.now()
    for (let n = 0; n < 100 && performance.now() - from < 5_000; n += 1) await add(`behind-${n}`)
    await sentinels.master.kill()
    sentinels.replica.thaw()
    await sentinels.promoted(sentinels.replica)
    await eventually(() => queue.add({ id: 'after', data: 'small' }))
    const found = await Promise.all(acknowledged.map((id) => queue.get(id)))
    const lost = found.filter((job) => job === undefined).length
    process.stdout.write(`A replica that is behind, ${name}: ${acknowledged.length} acknowledged, ${lost} lost\n`)
    if (waits) expect([acknowledged.length, lost]).toEqual([10, 0])
    else expect(lost).toBeGreaterThan(0)
    await queues.close()
    await sentinels.stop()
  })

  test('a replica that joins is not waited for while it loads', async () => {
    const master = await startRedis([['repl-diskless-sync-delay', '0']])
    const admin = new Redis(master.url)
    await admin.eval("for n = 1, 30000 do redis.call('SET', 'key' .. n, 'x') end", 0)
    // A millisecond for each key: half a minute.
    const slowly: [string, string] = ['key-load-delay', '1000']
    const replica = await startRedis([['replicaof', `127.0.0.1 ${master.port}`], slowly])
    const state = async () => /^slave0:.*(state=\w+,offset=\d+)/m.exec(await admin.info('replication'))?.[1]
    await eventually(async () => expect(await state()).toBe('state=online,offset=0'))
    const queues = await openQueues({ url: master.url })
    await queues.queue<string>('deliveries').add({ id: 'meanwhile', data: 'x', onReplica: true })
    expect(await state()).toBe('state=online,offset=0')
    await queues.close()
    admin.disconnect()
    await replica.stop()
    await master.stop()
  })

  test('jobs that are added at once are confirmed together, and without a replica nothing is waited for', async () => {
    const master = await startRedis([['repl-diskless-sync-delay', '0'], PINGS_SOON])
    const admin = new Redis(master.url)
    const waits = async () => Number(/cmdstat_wait:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0)
    const add = async (name: string, count: number) => {
      const queues = await openQueues({ url: master.url })
      const queue = queues.queue<string>('deliveries')
      await Promise.all(
        Array.from({ length: count }, (_, n) => queue.add({ id: `${name}-${n}`, data: name, onReplica: true })),
      )
      await queues.close()
    }
    await add('alone', 50)
    expect(await waits()).toBe(0)

    const replica = await startRedis([['replicaof', `127.0.0.1 ${master.port}`]])
    await confirmingReplica(master.url)
    const alone = await waits()
    await add('confirmed', 50)
    expect(await waits()).toBeGreaterThan(alone)
    // Of fewer than one for each: how many are together depends on how busy the machine is.
    expect((await waits()) - alone).toBeLessThan(50)
    const before = await waits()
    const queues = await openQueues({ url: master.url })
    await queues.queue<string>('notifications').add({ data: 'unconfirmed' })
    expect(await waits()).toBe(before)
    await queues.close()
    admin.disconnect()
    await replica.stop()
    await master.stop()
  })

  test('after a replica has gone nothing is confirmed for ten seconds, and then as if it had not been there', async () => {
    const master = await startRedis([['repl-diskless-sync-delay', '0'], PINGS_SOON])
    const redis = new Redis(master.url)
    let clock = 1_000_000
    const confirm = replicaConfirmation({ redis, now: () => clock })
    // There was none before.
    await confirm()
    const replica = await startRedis([['replicaof', `127.0.0.1 ${master.port}`]])
    await confirmingReplica(master.url)
    clock += 3_000
    await confirm()
    await replica.stop()
    await eventually(async () => expect(await redis.info('replication')).toContain('connected_slaves:0'))
    await expect(confirm()).rejects.toThrow('A replica has gone')
    clock += 9_999
    await expect(confirm()).rejects.toThrow('A replica has gone')
    clock += 1
    await confirm()
    redis.disconnect()
    await master.stop()
  })

  test('of two replicas, one that is slow is waited for no longer than it may take, and nothing is confirmed once one has gone', async () => {
    const master = await startRedis([['repl-diskless-sync-delay', '0'], PINGS_SOON])
    const of: [string, string] = ['replicaof', `127.0.0.1 ${master.port}`]
    const [slow, other] = await Promise.all([startRedis([of]), startRedis([of])])
    const redis = new Redis(master.url)
    const online = async () => (await redis.info('replication')).match(/state=online,offset=[1-9]/g)?.length
    await eventually(async () => expect(await online()).toBe(2))
    const confirm = replicaConfirmation({ redis, now: () => 1_000_000 })
    await confirm()
    slow.freeze()
    await confirm()
    let hasGoneOn = false
    setTimeout(() => {
      hasGoneOn = true
      slow.thaw()
    }, 50)
    await confirm()
    expect(hasGoneOn).toBe(true)
    await slow.stop()
    await eventually(async () => expect(await online()).toBe(1))
    await expect(confirm()).rejects.toThrow('A replica has gone')
    redis.disconnect()
    await Promise.all([master.stop(), other.stop()])
  })
})
