// What a finished delivery and its evaluation leave in Redis, with the journal there and in PostgreSQL.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { hasPostgresServer, startPostgres } from '../../test/servers/postgres-server.ts'
import { startRedis } from '../../test/servers/redis-server.ts'
import { botEnvironment, startBot } from '../bot.ts'
import { portOf } from '../port-of.ts'
import { type Row, rowOf } from '../row.ts'
import { Sender } from '../sender.ts'
import { nextRequest, settled } from './deliveries.ts'

const KB = 1024
const deliveries = 1_000
/** So that what Redis and BullMQ need once is there, and the oldest of the measured jobs may go. */
const others = 20
/** Jobs that are done stay for a minute, until another one is done. */
const doneMs = 61_000
const most = { redis: 6, postgres: 1 }

/** In KB for each delivery; without PostgreSQL where no server is installed. */
export async function memoryOfRedis({
  folder,
  say,
}: {
  folder: string
  say: (sentence: string) => void
}): Promise<Row[]> {
  const journals: (keyof typeof most)[] = hasPostgresServer() ? ['redis', 'postgres'] : ['redis']
  say(`memory of Redis: ${deliveries} deliveries, and a minute`)
  const found = await Promise.all(journals.map((journal) => memoryWith(journal, folder)))
  return journals.map((journal, at) =>
    rowOf(
      {
        name: 'memory of Redis for 1,000 deliveries, for each',
        what: journal === 'redis' ? 'with the journal' : 'the journal in PostgreSQL',
        beside: 'the most',
        unit: 'KB',
        aim: { most: 1 },
      },
      [[found[at] ?? Number.NaN, most[journal]]],
    ),
  )
}

async function memoryWith(journal: keyof typeof most, folder: string): Promise<number> {
  const redis = await startRedis([
    ['appendonly', 'no'],
    ['maxmemory-policy', 'noeviction'],
  ])
  const postgres = journal === 'postgres' ? await startPostgres() : undefined
  const service = spawn(process.execPath, [join(import.meta.dirname, '../evaluation/service.mjs'), '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const store = new Redis(redis.url)
  try {
    const address = `http://127.0.0.1:${await portOf(service)}`
    const environment = botEnvironment({ queue: redis.url, rules: folder, service: address })
    const place = postgres === undefined ? {} : { BELLHOP_JOURNAL_URL: postgres.database('journal') }
    const bot = await startBot({ ...environment, ...place })
    try {
      const next = nextRequest()
      const finish = async (count: number) => {
        const sender = await Sender.open(Number(new URL(bot.url).port), others, next)
        await sender.send(count)
        sender.close()
        await settled(bot)
      }
      await finish(others)
      const before = await usedBytes(store)
      await finish(deliveries - others)
      await new Promise((resolve) => setTimeout(resolve, doneMs))
      await finish(others)
      const after = await usedBytes(store)
      return (after - before) / deliveries / KB
    } finally {
      await bot.stop()
    }
  } finally {
    service.kill('SIGKILL')
    store.disconnect()
    await redis.stop()
    await postgres?.stop()
  }
}

/** Without BullMQ's streams of events, whose length is limited. */
async function usedBytes(redis: Redis): Promise<number> {
  let bytes = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1])
  for (const key of await redis.keys('*:events'))
    bytes -= Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'))
  return bytes
}
