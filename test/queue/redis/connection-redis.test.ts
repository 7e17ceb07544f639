// A command that timed out is never sent later: by then it may have been repeated, and newer data written.
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectFast, connectPatient } from '../../../src/queue/redis/connection.ts'
import { mastersOf } from '../../../src/queue/redis/masters.ts'
import { readRedisUrl } from '../../../src/queue/redis/target.ts'
import type { RedisConnection } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'
import { startRedisCluster } from '../../servers/redis-cluster.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'

const single = async () => {
  const server = await startRedis()
  return { url: server.url, owner: server, stop: server.stop }
}
const cluster = async () => {
  const started = await startRedisCluster([], { replicas: 0 })
  return { url: started.url, owner: await started.masterOf('{bellhop}'), stop: started.stop }
}

describe.skipIf(!hasRedisServer()).each([
  ['one server', single],
  ['a cluster', cluster],
])('a fast connection to %s', (_to, start) => {
  let redis: RedisConnection
  let owner: TestRedis
  let stop: () => Promise<void>

  beforeAll(async () => {
    const started = await start()
    owner = started.owner
    stop = started.stop
    redis = connectFast({ target: readRedisUrl(started.url), log: () => undefined })
    await eventually(() => redis.set('{bellhop}begun', 'yes'))
  })
  afterAll(async () => {
    redis?.disconnect()
    await stop?.()
  })

  const keys = ['{bellhop}alone', '{bellhop}together', '{bellhop}as well', '{bellhop}later'] as const
  const disconnected = () => {
    for (const master of mastersOf(redis) as Redis[]) master.stream?.destroy()
  }

  it('sends no command or transaction that timed out before it was connected', async () => {
    const [alone, together, asWell, later] = keys
    disconnected()
    owner.freeze()
    const from = performance.now()
    const asked = await Promise.allSettled([
      redis.set(alone, 'late'),
      redis.multi().set(together, 'late').set(asWell, 'late').exec(),
      redis
        .pipeline()
        .set(later, 'late')
        .exec()
        .then((all) => all?.[0]?.[0] && Promise.reject(all[0][0])),
    ])
    expect(performance.now() - from).toBeLessThan(2_000)
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    owner.thaw()
    await eventually(() => redis.get(alone))
    expect(await redis.mget(...keys)).toEqual([null, null, null, null])
    expect(await redis.multi().set(together, 'in time').get(together).exec()).toEqual([
      [null, 'OK'],
      [null, 'in time'],
    ])
  })

  it('fails every command after about a second while the server hangs, and goes on afterwards', async () => {
    owner.freeze()
    for (let n = 0; n < 3; n += 1) {
      const from = performance.now()
      const asked = await Promise.allSettled([redis.get('{bellhop}begun'), redis.eval('return 1', 1, '{bellhop}begun')])
      expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      expect(performance.now() - from).toBeLessThan(2_000)
    }
    owner.thaw()
    expect(await eventually(() => redis.get('{bellhop}begun'))).toBe('yes')
  })
})

describe.skipIf(!hasRedisServer())('the many connections of workers to a cluster', () => {
  it('look far less often for new masters than one that a sender waits for: each time opens a connection', async () => {
    const { url, stop } = await cluster()
    const options = { target: readRedisUrl(url), log: () => undefined }
    const looked = { fast: vi.fn(), patient: vi.fn() }
    const patient = connectPatient(options).on('refresh', looked.patient)
    await eventually(() => expect(looked.patient).toHaveBeenCalledTimes(1))
    const fast = connectFast(options).on('refresh', looked.fast)
    await eventually(() => expect(looked.fast).toHaveBeenCalledTimes(4))
    expect(looked.patient).toHaveBeenCalledTimes(1)
    patient.disconnect()
    fast.disconnect()
    await stop()
  })
})
