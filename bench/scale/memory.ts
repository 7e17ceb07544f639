// What a finished delivery and its evaluation leave in Redis.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { botEnvironment, startBot } from '../bot.ts'
import { portOf } from '../port-of.ts'
import { type Row, rowOf } from '../row.ts'
import { Sender } from '../sender.ts'
import { startServers } from '../servers.ts'
import { nextRequest, settled } from './deliveries.ts'

const KB = 1024
const deliveries = 1_000
/** So that what Redis and BullMQ need once is there, and the oldest of the measured jobs may go. */
const others = 20
/** Jobs that are done stay for a minute, until another one is done. */
const doneMs = 61_000
const mostKb = 0.5

/** In KB for each delivery. */
export async function memoryOfRedis({
  folder,
  say,
}: {
  folder: string
  say: (sentence: string) => void
}): Promise<Row[]> {
  say(`memory of Redis: ${deliveries} deliveries, and a minute`)
  return [
    rowOf(
      {
        name: 'memory of Redis for 1,000 deliveries, for each',
        ...{ what: 'measured', beside: 'the most', unit: 'KB', aim: { most: 1 } },
      },
      [[await memoryWith(folder), mostKb]],
    ),
  ]
}

async function memoryWith(folder: string): Promise<number> {
  const { queue, journal, stop } = await startServers()
  const service = spawn(process.execPath, [join(import.meta.dirname, '../evaluation/service.mjs'), '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const store = new Redis(queue)
  try {
    const address = `http://127.0.0.1:${await portOf(service)}`
    const bot = await startBot(botEnvironment({ queue, journal, rules: folder, service: address }))
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
    await stop()
  }
}

/** Without BullMQ's streams of events, whose length is limited. */
async function usedBytes(redis: Redis): Promise<number> {
  let bytes = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1])
  for (const key of await redis.keys('*:events'))
    bytes -= Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'))
  return bytes
}
