// A Redis of three nodes and three Sentinels, whose present master is what a fault stops: a replica takes its place.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { startRedis, type TestRedis } from '../test/servers/redis-server.ts'
import { MASTER_NAME, sentinelUrl, startSentinel, type TestSentinel } from '../test/servers/sentinel-server.ts'
import type { BreakableServer } from './breakage.ts'

export interface FailoverRedis extends BreakableServer {
  url: string
  /** One for each node. */
  directories: string[]
  /** How often a replica has become the master. */
  promotions(): number
  recovered(): Promise<void>
  stop(): Promise<void>
}

const settings: [string, string][] = [
  ['repl-diskless-sync-delay', '0'],
  // As docs/deploy.md advises: one that is cut off takes no writes.
  ['min-replicas-to-write', '1'],
  // A replica's file begins with a copy of all data: secrets are looked for in it.
  ['rdbcompression', 'no'],
]
// Sentinels wait ten seconds before they make a replica of a master that comes back.
const recoversWithinMs = 90_000

interface NodeState {
  port: number
  role: 'master' | 'slave'
  /** Replicas that follow a master. */
  replicas: number
  /** Which master a replica follows, once it does. */
  follows: number | undefined
}

/** Starts it: the first node is the master. */
export async function startFailoverRedis(): Promise<FailoverRedis> {
  const nodes = [await start(), await start(), await start()]
  const [first, ...others] = nodes as [TestRedis, ...TestRedis[]]
  for (const { port } of others) {
    await ask(port, 'REPLICAOF', '127.0.0.1', String(first.port))
    await ask(port, 'CONFIG', 'REWRITE')
  }
  const directory = await mkdtemp(join(tmpdir(), 'bellhop-sentinel-'))
  const sentinels: TestSentinel[] = []
  for (let n = 0; n < 3; n += 1) sentinels.push(await startSentinel(directory, first.port))
  let broken = first
  let master = first.port
  let promotions = 0

  /** The master that all Sentinels name, if it follows none itself. */
  async function present(): Promise<NodeState | undefined> {
    const named = new Set(await Promise.all(sentinels.map(({ port }) => masterOf(port))))
    const [port] = named
    const state = named.size === 1 && port !== undefined ? await stateOf(port) : undefined
    if (state?.role !== 'master') return undefined
    if (state.port !== master) promotions += 1
    master = state.port
    return state
  }

  /** There is a master that takes writes. */
  async function usable(): Promise<boolean> {
    const state = await present()
    return state !== undefined && state.replicas > 0
  }

  /** All other nodes follow the master. */
  async function whole(): Promise<boolean> {
    const state = await present()
    if (state === undefined) return false
    const rest = await Promise.all(nodes.filter(({ port }) => port !== state.port).map(({ port }) => stateOf(port)))
    if (rest.some((each) => each?.follows !== state.port)) return false
    return true
  }

  async function breakMaster(how: 'kill' | 'freeze'): Promise<void> {
    broken = nodes.find(({ port }) => port === master) ?? first
    await broken[how]()
  }

  await until('all nodes follow the first', whole)
  return {
    url: sentinelUrl(sentinels),
    directories: nodes.map((each) => each.directory),
    promotions: () => promotions,
    kill: () => breakMaster('kill'),
    freeze: () => breakMaster('freeze'),
    async start() {
      await until('a replica takes over', usable)
      await broken.start()
    },
    async thaw() {
      await until('a replica takes over', usable)
      broken.thaw()
    },
    recovered: () => until('all nodes follow one master', whole),
    async stop() {
      for (const each of [...sentinels.map(({ kill }) => kill), ...nodes.map(({ stop }) => stop)]) await each()
      await rm(directory, { recursive: true, force: true })
    },
  }

  function start(): Promise<TestRedis> {
    return startRedis(settings, { rewritable: true })
  }
}

async function until(what: string, fact: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + recoversWithinMs
  while (!(await fact())) {
    if (Date.now() > end) throw new Error(`not within ${recoversWithinMs / 1000} s: ${what}`)
    await delay(200)
  }
}

/** Undefined: it does not answer now. */
async function stateOf(port: number): Promise<NodeState | undefined> {
  const info = await ask(port, 'INFO', 'replication')
  if (info === undefined) return undefined
  const value = (name: string) => new RegExp(`^${name}:(\\S*)`, 'm').exec(String(info))?.[1]
  return {
    port,
    role: value('role') === 'master' ? 'master' : 'slave',
    replicas: Number(value('min_slaves_good_slaves') ?? 0),
    follows: value('master_link_status') === 'up' ? Number(value('master_port')) : undefined,
  }
}

async function masterOf(sentinel: number): Promise<number | undefined> {
  const address = await ask(sentinel, 'SENTINEL', 'get-master-addr-by-name', MASTER_NAME)
  return Array.isArray(address) ? Number(address[1]) : undefined
}

/** Undefined: it does not answer now, which is what faults are for. */
async function ask(port: number, command: string, ...args: string[]): Promise<unknown> {
  const redis = new Redis({ port, retryStrategy: () => null, commandTimeout: 1_000, maxRetriesPerRequest: 0 })
  redis.on('error', () => undefined)
  try {
    return await redis.call(command, ...args)
  } catch {
    return undefined
  } finally {
    redis.disconnect()
  }
}
