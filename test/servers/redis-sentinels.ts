// Starts a Redis of the tests' own that fails over: a master with a replica, and three Sentinels that watch them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { PINGS_SOON } from './confirming-replica.ts'
import { startRedis, type TestRedis } from './redis-server.ts'
import { MASTER_NAME, sentinelUrl, startSentinel, type TestSentinel } from './sentinel-server.ts'

export interface TestSentinels {
  url: string
  /** Of the Sentinels. */
  ports: number[]
  /** The master at the start, and its replica. */
  master: TestRedis
  replica: TestRedis
  /** Waits until all Sentinels name this one as the master. */
  promoted(node: TestRedis): Promise<void>
  stop(): Promise<void>
}

/** `settings` are those of both nodes, `watch` more lines of each Sentinel's configuration. */
export async function startRedisSentinels(
  settings: [string, string][] = [],
  watch: string[] = [],
): Promise<TestSentinels> {
  const both: [string, string][] = [['repl-diskless-sync-delay', '0'], PINGS_SOON, ...settings]
  const master = await startRedis(both)
  const replica = await startRedis([...both, ['replicaof', `127.0.0.1 ${master.port}`]])
  const directory = mkdtempSync(join(tmpdir(), 'bellhop-sentinel-'))
  const sentinels: TestSentinel[] = []
  for (let n = 0; n < 3; n += 1) sentinels.push(await startSentinel(directory, master.port, watch))
  const sentinelPassword = watch.find((line) => line.startsWith('requirepass '))?.split(' ')[1]
  const ask = async (port: number) => {
    const options = { port, retryStrategy: () => null, ...(sentinelPassword && { password: sentinelPassword }) }
    const redis = new Redis(options)
    redis.on('error', () => undefined)
    try {
      const [, masterPort] = (await redis.call('SENTINEL', 'get-master-addr-by-name', MASTER_NAME)) as string[]
      const watched = (await redis.call('SENTINEL', 'master', MASTER_NAME)) as string[]
      const number = (name: string) => Number(watched[watched.indexOf(name) + 1])
      const replicas = (await redis.call('SENTINEL', 'replicas', MASTER_NAME)) as string[][]
      const linked = replicas.filter((each) => each[each.indexOf('master-link-status') + 1] === 'ok').length
      return { master: Number(masterPort), others: number('num-other-sentinels'), linked }
    } finally {
      redis.disconnect()
    }
  }
  const all = () => Promise.all(sentinels.map(({ port }) => ask(port)))
  await eventually(async () => {
    for (const known of await all()) expect(known).toEqual({ master: master.port, others: 2, linked: 1 })
  })
  return {
    url: sentinelUrl(sentinels),
    ports: sentinels.map(({ port }) => port),
    master,
    replica,
    promoted: (node) =>
      eventually(async () => {
        for (const known of await all()) expect(known.master).toBe(node.port)
      }),
    async stop() {
      for (const each of sentinels) await each.kill()
      await master.stop()
      await replica.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
