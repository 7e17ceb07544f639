// Deliveries per second of the receiver on Redis, beside a bare node:http server with one XADD each, and other bots.
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from '../../test/servers/redis-server.ts'
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
/** Deliveries before the measurement, until Node has compiled what runs often. */
const before = 10_000
const beforeEmbedded = 500
/** Part of Bellhop's highest rate at which response times are measured. */
const halfLoad = 0.5

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
      const bareAdd = await opened(serverOf('add', redis.url))
      const express = await opened(serverOf('naive', redis.url))
      const bellhop = await opened(receiverOf(redis.url, rules))
      const against = (sides: readonly [Sender, Sender], named: Pick<Row, 'what' | 'beside' | 'aim'>) =>
        ratesInTurns(
          { name: `${connections} connections, 6.7 KB`, ...named },
          [() => sides[0].flood(forMs), () => sides[1].flood(forMs)],
          { rounds, turnsPerRound },
        )
      const beside = 'http + XADD'
      const rows = [
        await against([bellhop, floor], { what: 'bellhop', beside }),
        await against([bareAdd, floor], { what: 'BullMQ add, bare', beside }),
        await against([bellhop, express], { what: 'bellhop', beside: 'Express, JSON, BullMQ', aim: { least: 2 } }),
      ]
      rows.push(await slowest(bellhop, floor, (rows[0]?.value ?? 0) * halfLoad, rounds))
      const others = await withPeers(say, async () => {
        const fastify = await opened(serverOf('fastify', redis.url, peersFolder))
        const github = { request: githubRequest(hookSecret) }
        const probot = await opened(serverOf('probot', redis.url, peersFolder), github)
        return [
          await against([bellhop, fastify], { what: 'bellhop', beside: 'Fastify, JSON, BullMQ', aim: { least: 1 } }),
          await against([probot, floor], { what: 'Probot: verified, not stored', beside }),
        ]
      })
      const insert = await opened(serverOf('insert', join(folder, 'insert')), { first: beforeEmbedded })
      const embedded = await opened(receiverOf(`embedded:${join(folder, 'queue')}`, rules), { first: beforeEmbedded })
      const onEmbedded = await ratesInTurns(
        {
          name: `${connections} connections, 6.7 KB`,
          what: 'bellhop, embedded, with intake',
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

/** p99 of response times at the same rate for both. */
async function slowest(bellhop: Sender, floor: Sender, perSecond: number, rounds: number): Promise<Row> {
  const p99 = async (sender: Sender) => {
    const times: number[] = []
    for (let turn = 0; turn < turnsPerRound; turn += 1) times.push(...(await sender.evenly(perSecond, forMs * 2)))
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  }
  const measured: [number, number][] = []
  for (let round = 0; round < rounds; round += 1) measured.push([await p99(bellhop), await p99(floor)])
  const name = 'p99 of responses at half of Bellhop’s rate'
  return rowOf({ name, what: 'bellhop', beside: 'http + XADD', unit: 'ms', aim: { most: 3 } }, measured)
}

async function remembered(targets: Target[], starting: Promise<Target>): Promise<Target> {
  const target = await starting
  targets.push(target)
  return target
}

/** On Redis a receiver alone; on the embedded queue the whole bot. */
async function receiverOf(queue: string, rules: string): Promise<Target> {
  const alone = queue.startsWith('redis:') ? { only: 'receiver' as const } : {}
  const bot = await startBot({ ...botEnvironment({ queue, rules, ...alone }), BELLHOP_MAX_BACKLOG: '99999999' })
  return { port: Number(new URL(bot.url).port), stop: bot.stop }
}

async function serverOf(kind: string, redis: string, folder = import.meta.dirname): Promise<Target> {
  const child = spawn(process.execPath, [join(folder, 'servers.mjs'), kind, redis, hookSecret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
