// How many deliveries a second a receiver takes over Redis, beside the floor: a bare node:http server with one XADD for each.
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from '../../test/redis-server.ts'
import { botEnvironment, hookSecret, startBot } from '../bot.ts'
import { requireRedis } from '../needs.ts'
import { peersFolder, withPeers } from '../peers.ts'
import { portOf } from '../port-of.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { githubRequest, moonriseRequest, Sender } from '../sender.ts'
import { ratesInTurns } from '../turns.ts'

const connections = 32
const forMs = 200
const turnsPerRound = 4
/** So many each has taken before it is measured: Node compiles what runs often, and servers that do more are through with that later. */
const before = 10_000
/** Embedded each takes a hundred times as long. */
const beforeEmbedded = 500
/** Of what the slower of two takes at most, for the time that answers take. */
const easily = 0.4

interface Target {
  port: number
  stop: () => Promise<void>
}

export const bench: Bench = {
  about: 'bellhop serve --only receiver on Redis, beside a bare server with one XADD for each delivery',
  async measure({ rounds, say }) {
    requireRedis()
    const folder = await mkdtemp(join(tmpdir(), 'bench-receiver-'))
    const rules = join(folder, 'rules')
    await mkdir(rules)
    const redis = await startRedis([
      ['appendonly', 'no'],
      ['maxmemory-policy', 'noeviction'],
    ])
    const targets: Target[] = []
    const senders: Sender[] = []
    const opened = async (target: Promise<Target>, { request = moonriseRequest, first = before } = {}) => {
      const { port } = await remembered(targets, target)
      const sender = await Sender.open(port, connections, request)
      senders.push(sender)
      await sender.send(first)
      return sender
    }
    try {
      const floor = await opened(serverOf('xadd', redis.url))
      const peers = {
        'BullMQ add, bare': await opened(serverOf('add', redis.url)),
        'Express, JSON, BullMQ': await opened(serverOf('naive', redis.url)),
      }
      const bellhop = await opened(receiverOf(redis.url, rules))
      const against = (what: string, sender: Sender, aim?: Row['aim']) =>
        ratesInTurns(
          { name: `${connections} connections, 6.7 KB`, what, beside: 'http + XADD', ...(aim === undefined ? {} : { aim }) },
          [() => sender.flood(forMs), () => floor.flood(forMs)],
          { rounds, turnsPerRound },
        )
      const rows = [await against('bellhop', bellhop, { least: 0.42 })]
      for (const [what, sender] of Object.entries(peers)) rows.push(await against(what, sender))
      rows.push(await slowest(bellhop, floor, (rows[0]?.value ?? 0) * easily, rounds))
      const others = await withPeers(say, async () => [
        await against('Fastify, BullMQ', await opened(serverOf('fastify', redis.url, peersFolder))),
        await against(
          'Probot: proved, not kept',
          await opened(serverOf('probot', redis.url, peersFolder), { request: githubRequest(hookSecret) }),
        ),
      ])
      const insert = await opened(serverOf('insert', join(folder, 'insert')), { first: beforeEmbedded })
      const embedded = await opened(receiverOf(`embedded:${join(folder, 'queue')}`, rules), { first: beforeEmbedded })
      const onEmbedded = await ratesInTurns(
        {
          name: `${connections} connections, 6.7 KB`,
          what: 'bellhop, embedded, which works on them as well',
          beside: 'http + PGlite insert',
        },
        [() => embedded.flood(forMs), () => insert.flood(forMs)],
        { rounds, turnsPerRound },
      )
      return [...rows, ...others, onEmbedded]
    } finally {
      for (const sender of senders) sender.close()
      await Promise.all(targets.map(({ stop }) => stop()))
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** p99 of the answers where both have the same to do, and time for it. */
async function slowest(bellhop: Sender, floor: Sender, perSecond: number, rounds: number): Promise<Row> {
  const p99 = async (sender: Sender) => {
    const times: number[] = []
    for (let turn = 0; turn < turnsPerRound; turn += 1) times.push(...(await sender.evenly(perSecond, forMs * 2)))
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  }
  const measured: [number, number][] = []
  for (let round = 0; round < rounds; round += 1) measured.push([await p99(bellhop), await p99(floor)])
  const name = `p99 of answers at ${Math.round(perSecond)} deliveries a second`
  return rowOf({ name, what: 'bellhop', beside: 'http + XADD', unit: 'ms', aim: { most: 2 } }, measured)
}

async function remembered(targets: Target[], starting: Promise<Target>): Promise<Target> {
  const target = await starting
  targets.push(target)
  return target
}

/** Over Redis a receiver alone; the embedded queue is one process's, which is the whole bot. */
async function receiverOf(queue: string, rules: string): Promise<Target> {
  const alone = queue.startsWith('redis:') ? { only: 'receiver' as const } : {}
  const bot = await startBot({ ...botEnvironment({ queue, rules, ...alone }), BELLHOP_MAX_BACKLOG: '99999999' })
  return { port: Number(new URL(bot.url).port), stop: bot.stop }
}

async function serverOf(kind: string, redis: string, folder = import.meta.dirname): Promise<Target> {
  const child = spawn(process.execPath, [join(folder, 'servers.mjs'), kind, redis, hookSecret], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const port = await portOf(child)
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
