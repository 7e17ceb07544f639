// How long it takes until a storm is judged: 3,000 deliveries, a third of them on one merge request, with 5 ms for each API call.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DecisionRecord, Page } from '../../src/journal/types.ts'
import { startRedis } from '../../test/redis-server.ts'
import { admin, isSettled } from '../admin.ts'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { requireRedis } from '../needs.ts'
import { portOf } from '../port-of.ts'
import { type Bench, median, rowOf } from '../row.ts'

const others = 1_000
const storm = { deliveries: 3_000, hot: 1_000 }
const calm = { deliveries: 2_000, hot: 0 }
const senders = 32
const rules = `version: 1
rules:
  - name: what is urgent is seen
    if: { labels: { any: [urgent] } }
    then: { subscribe: true }
`

interface Judged {
  ms: number
  evaluations: number
  /** Median of the milliseconds that the other merge requests waited. */
  waitedMs: number
}

export const bench: Bench = {
  about: 'a storm of 3,000 deliveries until all is judged, beside BullMQ alone that coalesces in the same way; what others wait',
  async measure({ rounds, say }) {
    requireRedis()
    const folder = await mkdtemp(join(tmpdir(), 'bench-evaluation-'))
    await writeFile(join(folder, 'rules.yml'), rules)
    const redis = await startRedis([
      ['appendonly', 'no'],
      ['maxmemory-policy', 'noeviction'],
    ])
    const service = spawn(process.execPath, [join(import.meta.dirname, 'service.mjs'), '5'], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const address = `http://127.0.0.1:${await portOf(service)}`
      const bot = await startBot(botEnvironment({ queue: redis.url, rules: folder, service: address }))
      try {
        const all: { stormy: Judged; quiet: Judged; floor: { ms: number; evaluations: number } }[] = []
        for (let round = 0; round <= rounds; round += 1) {
          const stormy = await judge(bot, address, storm)
          const floor = await floorOf(redis.url)
          const quiet = await judge(bot, address, calm)
          if (round > 0) all.push({ stormy, quiet, floor })
        }
        say(
          `evaluations: ${median(all.map(({ stormy }) => stormy.evaluations))}, BullMQ alone ${median(all.map(({ floor }) => floor.evaluations))}`,
        )
        return [
          rowOf(
            { name: '3,000 deliveries, 1,000 of them on one merge request', what: 'bellhop', beside: 'BullMQ alone', unit: 'ms' },
            all.map(({ stormy, floor }) => [stormy.ms, floor.ms]),
          ),
          rowOf(
            { name: 'evaluations of them', what: 'bellhop', beside: 'BullMQ alone', unit: '' },
            all.map(({ stormy, floor }) => [stormy.evaluations, floor.evaluations]),
          ),
          rowOf(
            { name: 'median wait of the other merge requests', what: 'with the storm', beside: 'without', unit: 'ms', aim: { most: 2 } },
            all.map(({ stormy, quiet }) => [stormy.waitedMs, quiet.waitedMs]),
          ),
        ]
      } finally {
        await bot.stop()
      }
    } finally {
      service.kill('SIGKILL')
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** From the first delivery until nothing waits any more. */
async function judge(bot: RunningBot, service: string, { deliveries, hot }: typeof storm): Promise<Judged> {
  await fetch(`${service}/evaluations`)
  const since = new Date().toISOString()
  const started = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: senders }, async () => {
      for (let n = next++; n < deliveries; n = next++) await deliver(bot.url, n % 3 === 0 && hot > 0 ? 1 : 2 + (n % others))
    }),
  )
  while (!(await isSettled(bot.url))) await new Promise((resolve) => setTimeout(resolve, 20))
  const ms = performance.now() - started
  const evaluations = Number(await (await fetch(`${service}/evaluations`)).text())
  return { ms, evaluations, waitedMs: median(await waits(bot.url, since)) }
}

/** What the other merge requests waited, from the receipt of the oldest new event to the end of its evaluation. */
async function waits(url: string, since: string): Promise<number[]> {
  const found: number[] = []
  let after: string | undefined
  do {
    const query = new URLSearchParams({ since, limit: '200', ...(after === undefined ? {} : { after }) })
    const page = await admin<Page<DecisionRecord>>(url, `/decisions?${query}`)
    for (const { mergeRequest, waitedMs } of page.items) if (mergeRequest.iid !== 1 && waitedMs !== undefined) found.push(waitedMs)
    after = page.next
  } while (after !== undefined)
  return found
}

async function floorOf(redis: string): Promise<{ ms: number; evaluations: number }> {
  const args = [redis, storm.deliveries, storm.hot, others].map(String)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.mjs'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the floor ended with ${code}`)
  return JSON.parse(said) as { ms: number; evaluations: number }
}
