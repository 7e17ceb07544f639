// Starts a Redis of the tests' own that fails over: a master with a replica, and three Sentinels that watch them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { eventually } from '../eventually.ts'
import { PINGS_SOON } from './confirming-replica.ts'
import { startRedis, type TestRedis } from './redis-server.ts'
import { MASTER_NAME, sentinelUrl, startSentinel, type TestSentinel } from './sentinel-server.ts'

export type TestSentinels = Awaited<ReturnType<typeof startRedisSentinels>>

/** `settings` are those of each node, `watch` more lines of each Sentinel's configuration. */
export async function startRedisSentinels(
  settings: [string, string][] = [],
  watch: string[] = [],
  { replicas = 1 }: { replicas?: 1 | 2 } = {},
) {
  const each: [string, string][] = [['repl-diskless-sync-delay', '0'], PINGS_SOON, ...settings]
  const master = await startRedis(each)
  const startReplica = () => startRedis([...each, ['replicaof', `127.0.0.1 ${master.port}`]])
  const replica = await startReplica()
  const others = replicas === 1 ? [] : [await startReplica()]
  const directory = mkdtempSync(join(tmpdir(), 'bellhop-sentinel-'))
  const sentinels: TestSentinel[] = []
  for (let n = 0; n < 3; n += 1) sentinels.push(await startSentinel(directory, master.port, watch))
  const sentinelPassword = watch.find((line) => line.startsWith('requirepass '))?.split(' ')[1]
  const withSentinel = async <R>(port: number, use: (redis: Redis) => Promise<R>): Promise<R> => {
    const options = { port, retryStrategy: () => null, ...(sentinelPassword && { password: sentinelPassword }) }
    const redis = new Redis(options)
    redis.on('error', () => undefined)
    try {
      return await use(redis)
    } finally {
      redis.disconnect()
    }
  }
  const ask = (port: number) =>
    withSentinel(port, async (redis) => {
      const [, masterPort] = (await redis.call('SENTINEL', 'get-master-addr-by-name', MASTER_NAME)) as string[]
      const watched = (await redis.call('SENTINEL', 'master', MASTER_NAME)) as string[]
      const number = (name: string) => Number(watched[watched.indexOf(name) + 1])
      const replicas = (await redis.call('SENTINEL', 'replicas', MASTER_NAME)) as string[][]
      const linked = replicas.filter((each) => each[each.indexOf('master-link-status') + 1] === 'ok').length
      return { master: Number(masterPort), others: number('num-other-sentinels'), linked }
    })
  const all = () => Promise.all(sentinels.map(({ port }) => ask(port)))
  await eventually(async () => {
    for (const known of await all()) expect(known).toEqual({ master: master.port, others: 2, linked: replicas })
  })
  return {
    url: sentinelUrl(sentinels),
    /** The ports of the Sentinels. */
    ports: sentinels.map(({ port }) => port),
    /** The master at the start, and its first replica. */
    master,
    replica,
    /** Waits until all Sentinels name this one as the master. */
    promoted: (node: TestRedis) =>
      eventually(async () => {
        for (const known of await all()) expect(known.master).toBe(node.port)
      }),
    /** A planned failover; resolves when all Sentinels name another master. */
    async failOver() {
      const [before] = await all()
      const [port = 0] = sentinels.map((sentinel) => sentinel.port)
      // Refused while this Sentinel has not heard of the replicas.
      await eventually(() => withSentinel(port, (redis) => redis.call('SENTINEL', 'FAILOVER', MASTER_NAME)))
      await eventually(async () => {
        const after = new Set((await all()).map((known) => known.master))
        expect([...after]).toEqual([expect.any(Number)])
        expect(after).not.toContain(before?.master)
      })
    },
    async stop() {
      for (const each of sentinels) await each.kill()
      await master.stop()
      for (const node of [replica, ...others]) await node.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
