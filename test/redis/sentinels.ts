// Starts a Redis of the tests' own that fails over: a master with a replica, and three Sentinels that watch them.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort, startRedis, type TestRedis } from '../servers/redis-server.ts'

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

export const MASTER_NAME = 'main'
const DOWN_AFTER_MS = 500

/** `settings` are those of both nodes, `watch` more lines of each Sentinel's configuration. */
export async function startRedisSentinels(
  settings: [string, string][] = [],
  watch: string[] = [],
): Promise<TestSentinels> {
  const both: [string, string][] = [['repl-diskless-sync-delay', '0'], ...settings]
  const master = await startRedis(both)
  const replica = await startRedis([...both, ['replicaof', `127.0.0.1 ${master.port}`]])
  const directory = mkdtempSync(join(tmpdir(), 'bellhop-sentinel-'))
  const sentinels: { port: number; child: ChildProcess }[] = []
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
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}`,
    ports: sentinels.map(({ port }) => port),
    master,
    replica,
    promoted: (node) =>
      eventually(async () => {
        for (const known of await all()) expect(known.master).toBe(node.port)
      }),
    async stop() {
      for (const { child } of sentinels) {
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await gone
      }
      await master.stop()
      await replica.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function startSentinel(directory: string, masterPort: number, watch: string[]) {
  const port = await freePort()
  const file = join(directory, `${port}.conf`)
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
    ...watch,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (bytes) => {
      said += String(bytes)
      if (said.includes('+monitor')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the Sentinel ended: ${said}`)))
  })
  return { port, child }
}
