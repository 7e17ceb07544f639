// From a delivery to the first call that it causes in an idle bot, beside a job of the same queue from adding to start.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSettled } from '../admin.ts'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { portOf } from '../port-of.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { startServers } from '../servers.ts'

const perRound = 20
const lookEveryMs = 10
// Each about a merge request of its own: none of them waits for another.
let sent = 0

// What was built and no loader touches, as the bot has it (bench/rules/product.ts).
const { openQueues }: typeof import('../../src/queue/open-queue.ts') = await import(
  new URL('../../dist/queue/open-queue.js', import.meta.url).href
)

export const bench: Bench = {
  about: 'from a delivery to the first call on the wire, in an idle bot, beside a job of the same queue alone',
  async measure({ rounds }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-first-call-'))
    await writeFile(
      join(folder, 'rules.yml'),
      'version: 1\nrules: [{ name: what is urgent is seen, if: { labels: { any: [urgent] } }, then: { subscribe: true } }]\n',
    )
    const { queue, journal, stop } = await startServers()
    const service = spawn(process.execPath, [join(import.meta.dirname, '../evaluation/service.mjs'), '5'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const address = `http://127.0.0.1:${await portOf(service)}`
      const on = async (name: string, of: { queue: string; journal?: string }, alone: string) => {
        const bot = await startBot(botEnvironment({ ...of, rules: folder, service: address }))
        try {
          return await measured(name, { rounds, bot, service: address, alone })
        } finally {
          await bot.stop()
        }
      }
      return [
        ...(await on('on Redis and PostgreSQL', { queue, journal }, queue)),
        ...(await on('embedded', { queue: `embedded:${join(folder, 'bot')}` }, `embedded:${join(folder, 'alone')}`)),
      ]
    } finally {
      service.kill('SIGKILL')
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measured(
  name: string,
  { rounds, bot, service, alone }: { rounds: number; bot: RunningBot; service: string; alone: string },
): Promise<Row[]> {
  const queue = await openQueues({ url: alone })
  try {
    let started: (at: number) => void = () => undefined
    queue.work(
      'alone',
      async () => {
        started(performance.now())
        return { outcome: 'done' }
      },
      { concurrency: 1, onError: (error) => process.stderr.write(`${error.message}\n`) },
    )
    const lane = queue.queue<string>('alone')
    const job = async () => {
      const addedAt = performance.now()
      const start = new Promise<number>((resolve) => {
        started = resolve
      })
      await lane.add({ data: 'a job' })
      return (await start) - addedAt
    }
    const took: { bot: number[]; job: number[] } = { bot: [], job: [] }
    for (let round = 0; round <= rounds; round += 1) {
      const [bots, jobs] = [await times(() => firstCall(bot, service)), await times(job)]
      if (round === 0) continue
      took.bot.push(...bots)
      took.job.push(...jobs)
    }
    return [0.5, 0.99].map((part) =>
      rowOf(
        {
          name: `${name}, p${part * 100} of ${took.bot.length}`,
          what: 'delivery to first call',
          beside: 'a job alone, added to started',
          unit: 'ms',
        },
        [[quantile(part, took.bot), quantile(part, took.job)]],
      ),
    )
  } finally {
    await queue.close()
  }
}

async function firstCall(bot: RunningBot, service: string): Promise<number> {
  const call = await fetch(`${service}/next-call`)
  const sentAt = performance.timeOrigin + performance.now()
  await deliver(bot.url, ++sent)
  const ms = Number(await call.text()) - sentAt
  while (!(await isSettled(bot.url))) await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  return ms
}

async function times(one: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  while (found.length < perRound) found.push(await one())
  return found
}

function quantile(part: number, times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN
}
