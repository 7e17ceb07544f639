// What more workers bring: one receiver and one to sixteen workers as processes over one Redis and one PostgreSQL, with
// 50 ms for each API call; and what a delivery leaves in Redis.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { TestPostgres } from '../../test/servers/postgres-server.ts'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { portOf } from '../port-of.ts'
import { peakMb, processorMs } from '../process-figures.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { Sender } from '../sender.ts'
import { startServers } from '../servers.ts'
import { nextRequest, settled } from './deliveries.ts'
import { memoryOfRedis } from './memory.ts'

const answersAfterMs = 50
const connections = 32
/** Each delivery is of another merge request: each is evaluated once at least. */
const warmUp = 100
/** As many evaluations at once as a worker does by default; here the cores are what limits. */
const usual = { deliveries: 600, atOnce: 20 }
/** One at a time in each worker; here what limits is that the service is waited for. */
const waiting = { deliveries: 160, atOnce: 1 }
const workersInTurn = [1, 2, 4, 16]
const rules = `version: 1
rules:
  - name: what is urgent is seen
    if: { labels: { any: [urgent] } }
    then: { subscribe: true }
`

const measures = [
  { name: 'deliveries taken', unit: '/s' },
  { name: 'deliveries read', unit: '/s' },
  { name: 'evaluations', unit: '/s' },
  { name: 'evaluations, one at a time in each worker', unit: '/s' },
  { name: 'processor time of the receiver for a delivery', unit: 'ms' },
  { name: 'processor time of all workers for an evaluation', unit: 'ms' },
  { name: 'processor time of Redis for a delivery and its evaluation', unit: 'ms' },
  { name: 'processor time of PostgreSQL for a delivery and its evaluation', unit: 'ms' },
  { name: 'transactions of PostgreSQL for a delivery and its evaluation', unit: '' },
  { name: 'memory of the receiver at most', unit: 'MB' },
  { name: 'memory of a worker at most', unit: 'MB' },
  { name: 'load of the machine at the end', unit: '' },
] as const satisfies Pick<Row, 'name' | 'unit'>[]
type Figures = Record<(typeof measures)[number]['name'], number>

export const bench: Bench = {
  about:
    'a receiver and 1 to 16 workers over one Redis and one PostgreSQL: deliveries and evaluations a second, processor time and memory, beside one worker; and the memory of Redis for a finished delivery',
  async measure({ say }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'))
    await writeFile(join(folder, 'rules.yml'), rules)
    try {
      return [...(await measureEach(folder, say)), ...(await memoryOfRedis({ folder, say }))]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** More workers next to one, which comes first. */
async function measureEach(folder: string, say: (sentence: string) => void): Promise<Row[]> {
  const found: Figures[] = []
  for (const workers of workersInTurn) {
    const figures = await measureWith(workers, folder)
    found.push(figures)
    const all = measures.map(({ name, unit }) => `${name} ${figures[name].toPrecision(3)} ${unit}`)
    say(`${workers} workers: ${all.join('; ')}`)
  }
  const [alone, ...more] = found
  return measures.flatMap(({ name, unit }) =>
    more.map((figures, at) =>
      rowOf({ name, what: `${workersInTurn[at + 1]} workers`, beside: '1 worker', unit }, [
        [figures[name], alone?.[name] ?? Number.NaN],
      ]),
    ),
  )
}

async function measureWith(workers: number, folder: string): Promise<Figures> {
  const { queue, journal, postgres, stop } = await startServers()
  const store = new Redis(queue)
  const service = spawn(
    process.execPath,
    [join(import.meta.dirname, '../evaluation/service.mjs'), String(answersAfterMs)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const bots: RunningBot[] = []
  try {
    const address = `http://127.0.0.1:${await portOf(service)}`
    const start = async (only: 'receiver' | 'worker', atOnce: number) => {
      const environment = botEnvironment({ queue, journal, rules: folder, service: address, only })
      const bot = await startBot({ ...environment, BELLHOP_CONCURRENCY: String(atOnce) })
      bots.push(bot)
      return bot
    }
    const receiver = await start('receiver', 1)
    const sender = await Sender.open(Number(new URL(receiver.url).port), connections, nextRequest())
    const storm = async ({ deliveries, atOnce }: typeof usual) => {
      const evaluating = await Promise.all(Array.from({ length: workers }, () => start('worker', atOnce)))
      const [first] = evaluating
      if (first === undefined) throw new Error('no worker was started')
      await sender.send(warmUp)
      await settled(first)
      await fetch(`${address}/evaluations`)
      const figures = await measured({
        receiver,
        first,
        evaluating,
        store,
        postgres,
        sender,
        deliveries,
        evaluations: `${address}/evaluations`,
      })
      await Promise.all(evaluating.map((bot) => bot.stop()))
      return figures
    }
    const figures = await storm(usual)
    const { evaluations } = await storm(waiting)
    sender.close()
    return {
      ...figures,
      'evaluations, one at a time in each worker': evaluations,
      'load of the machine at the end': loadavg()[0] ?? Number.NaN,
    }
  } finally {
    await Promise.all(bots.map((bot) => bot.stop()))
    service.kill('SIGKILL')
    store.disconnect()
    await stop()
  }
}

interface Measured {
  receiver: RunningBot
  /** Has the admin API. */
  first: RunningBot
  evaluating: readonly RunningBot[]
  store: Redis
  postgres: TestPostgres
  sender: Sender
  deliveries: number
  /** Where the service tells how many there were since it was asked last. */
  evaluations: string
}

async function measured({ receiver, first, evaluating, store, postgres, sender, deliveries, ...of }: Measured) {
  const processor = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + processorMs(pid), 0)
  const workers = evaluating.map(({ pid }) => pid)
  const ofDatabase = () => ({
    processorMs: processor(postgres.processes()),
    transactions: transactionsOf(postgres),
  })
  const before = {
    ...{ receiver: processor([receiver.pid]), workers: processor(workers) },
    ...{ redis: await toldBy(store), postgres: ofDatabase() },
  }
  const started = performance.now()
  const takenIn = await sender.send(deliveries)
  await settled(first, 'deliveries')
  const readIn = (performance.now() - started) / 1000
  await settled(first)
  const evaluatedIn = (performance.now() - started) / 1000
  const evaluations = Number(await (await fetch(of.evaluations)).text())
  const after = { redis: await toldBy(store), postgres: ofDatabase() }
  return {
    'deliveries taken': deliveries / takenIn,
    'deliveries read': deliveries / readIn,
    evaluations: evaluations / evaluatedIn,
    'processor time of the receiver for a delivery': (processor([receiver.pid]) - before.receiver) / deliveries,
    'processor time of all workers for an evaluation': (processor(workers) - before.workers) / evaluations,
    'processor time of Redis for a delivery and its evaluation':
      (after.redis.processorMs - before.redis.processorMs) / deliveries,
    'processor time of PostgreSQL for a delivery and its evaluation':
      (after.postgres.processorMs - before.postgres.processorMs) / deliveries,
    'transactions of PostgreSQL for a delivery and its evaluation':
      (after.postgres.transactions - before.postgres.transactions) / deliveries,
    'memory of the receiver at most': peakMb(receiver.pid),
    'memory of a worker at most': Math.max(...evaluating.map(({ pid }) => peakMb(pid))),
  }
}

/** Each statement of the journal is one. */
function transactionsOf(postgres: TestPostgres): number {
  return Number(postgres.run("SELECT xact_commit FROM pg_stat_database WHERE datname = 'journal'"))
}

async function toldBy(redis: Redis): Promise<{ processorMs: number }> {
  const told = await redis.info()
  const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(told)?.[1])
  return { processorMs: (of('used_cpu_user') + of('used_cpu_sys')) * 1000 }
}
