// Starts a Redis Cluster of the tests' own: three masters, each with a replica.
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { PINGS_SOON } from './confirming-replica.ts'
import { freePort, startRedis, type TestRedis } from './redis-server.ts'

export interface TestCluster {
  /** Of its first two nodes. */
  url: string
  nodes: TestRedis[]
  /** The node that is the master of a key's slot, as a node that lives says. */
  masterOf(key: string): Promise<TestRedis>
  /** Moves the slot of the key, and all before it that its master has, to another master; returns that one. */
  reshard(key: string): Promise<TestRedis>
  stop(): Promise<void>
}

interface Master {
  id: string
  port: number
  /** The first and the last of each range of slots. */
  slots: [number, number][]
}

const NODE_TIMEOUT_MS = 1_000
/** What does not answer by then hangs. */
const ASKED_MS = 1_000
/** A node speaks to the others at its port and this. */
const BUS = 10_000

/** Files of certificate, key and authority. */
export interface TlsFiles {
  cert: string
  key: string
  ca: string
}

/** `settings` are those of each node; `cli` is given to redis-cli, such as a password. With `tls` nothing else is spoken. */
export async function startRedisCluster(
  settings: [string, string][] = [],
  given: { cli?: string[]; replicas?: 0 | 1; tls?: TlsFiles } = {},
): Promise<TestCluster> {
  const { replicas = 1, tls } = given
  const cli = [...(given.cli ?? []), ...(tls === undefined ? [] : ['--tls', '--cacert', tls.ca])]
  const all: [string, string][] = [
    ['cluster-enabled', 'yes'],
    ['cluster-node-timeout', String(NODE_TIMEOUT_MS)],
    ['repl-diskless-sync-delay', '0'],
    PINGS_SOON,
    ...settings,
  ]
  const nodes: TestRedis[] = []
  for (let n = 0; n < 3 * (replicas + 1); n += 1) {
    const port = await portWithBus()
    nodes.push(await startRedis([...all, ...(tls === undefined ? [] : tlsOnly(port, tls))], { port }))
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const ask = (port: number, ...args: string[]) => redisCli([...cli, '-p', String(port), ...args], ASKED_MS)
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas), '--cluster-yes']
  await redisCli([...cli, ...create])
  await eventually(async () => {
    for (const { port } of nodes) {
      expect(await ask(port, 'cluster', 'info')).toContain('cluster_state:ok')
      expect((await ask(port, 'cluster', 'nodes')).match(/slave/g) ?? []).toHaveLength(3 * replicas)
      const replication = await ask(port, 'info', 'replication')
      expect(replication).toMatch(replicas === 0 ? /role:master/ : /state=online,offset=[1-9]|master_link_status:up/)
    }
  })

  async function masters(): Promise<Master[]> {
    // A node that is down, hangs or was just replaced says nothing, or what was true before.
    const said = await Promise.all(nodes.map(({ port }) => ask(port, 'cluster', 'nodes').catch(() => '')))
    const tables = said.filter((text) => text.includes('myself')).map(readMasters)
    const [one] = tables.sort((a, b) => a.length - b.length)
    if (one === undefined) throw new Error('no node of the cluster answers')
    return one
  }

  async function place(key: string) {
    const known = await masters()
    const slot = Number(await ask(known[0]?.port ?? 0, 'cluster', 'keyslot', key))
    const range = ({ slots }: Master) => slots.find(([first, last]) => first <= slot && slot <= last)
    const owner = known.find((each) => range(each) !== undefined)
    if (owner === undefined) throw new Error(`no master has the slot ${slot}`)
    return { slot, owner, others: known.filter(({ id }) => id !== owner.id) }
  }

  const nodeAt = (port: number) => nodes.find((each) => each.port === port) as TestRedis
  return {
    url: `${tls === undefined ? 'redis' : 'rediss'}+cluster://${addresses.slice(0, 2).join(',')}`,
    nodes,
    masterOf: async (key) => nodeAt((await place(key)).owner.port),
    async reshard(key) {
      const { slot, owner, others } = await place(key)
      const [to] = others
      if (to === undefined) throw new Error('there is no other master')
      const before = owner.slots.filter(([first]) => first <= slot)
      const count = before.reduce((sum, [first, last]) => sum + Math.min(last, slot) - first + 1, 0)
      const how = ['--cluster-from', owner.id, '--cluster-to', to.id, '--cluster-slots', String(count)]
      await redisCli([...cli, '--cluster', 'reshard', `127.0.0.1:${owner.port}`, ...how, '--cluster-yes'])
      return nodeAt(to.port)
    },
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  }
}

function tlsOnly(port: number, { cert, key, ca }: TlsFiles): [string, string][] {
  return [
    ['port', '0'],
    ['tls-port', String(port)],
    ['tls-cert-file', cert],
    ['tls-key-file', key],
    ['tls-ca-cert-file', ca],
    ['tls-auth-clients', 'no'],
    ['tls-cluster', 'yes'],
    ['tls-replication', 'yes'],
  ]
}

function readMasters(text: string): Master[] {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  return lines.flatMap(([id = '', address = '', flags = '', , , , , , ...ranges]) => {
    if (!flags.includes('master') || flags.includes('fail')) return []
    // Slots that are being moved are in brackets.
    const slots = ranges.filter((range) => /^\d/.test(range)).map((range) => range.split('-').map(Number))
    const port = Number(/:(\d+)@/.exec(address)?.[1])
    return [{ id, port, slots: slots.map(([first = 0, last = first]): [number, number] => [first, last]) }]
  })
}

function redisCli(args: string[], timeout = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'utf8', timeout, maxBuffer: 2 ** 24 } as const
    execFile('redis-cli', args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`redis-cli ${args.join(' ')}: ${stdout.slice(-1_000)}${stderr}`, { cause: error }))
    })
  })
}

async function portWithBus(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port + BUS < 2 ** 16 && (await isFree(port + BUS))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
