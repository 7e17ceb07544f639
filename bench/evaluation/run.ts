// How long evaluating a storm takes: 3,000 deliveries, a third for one merge request, with 5 ms for each API call.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { portOf } from '../port-of.ts'
import { type Bench, median, type Row, rowOf } from '../row.ts'
import { startServers } from '../servers.ts'
import { decisionsSince, hotIid, others, type Storm, sendStorm, untilSettled } from './storm.ts'
import { evaluateInOneProcess, evaluateWaiting, type Given, type Worked } from './waiting.ts'

const stormy: Storm = { deliveries: 3_000, hot: 1_000 }
const calm: Storm = { deliveries: 2_000, hot: 0 }
const rules = `version: 1
rules:
  - name: what is urgent is seen
    if: { labels: { any: [urgent] } }
    then: { subscribe: true }
`
const times = ['first', 'second'] as const
type Timed = Record<(typeof times)[number], Worked>
const named = '3,000 deliveries, 1,000 of them on one merge request'

export const bench: Bench = {
  about:
    'a storm of 3,000 deliveries until all is evaluated, beside BullMQ alone that coalesces in the same way; what others wait',
  async measure({ rounds: wanted, say, part }) {
    const rounds = part ? 3 : wanted
    const folder = await mkdtemp(join(tmpdir(), 'bench-evaluation-'))
    await writeFile(join(folder, 'rules.yml'), rules)
    const { queue, journal, stop } = await startServers()
    const service = spawn(process.execPath, [join(import.meta.dirname, 'service.mjs'), '5'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const address = `http://127.0.0.1:${await portOf(service)}`
      const evaluations = async () => Number(await (await fetch(`${address}/evaluations`)).text())
      const given = { queue, journal, rules: folder, service: address, evaluations }
      const embedded = { ...given, queue: `embedded:${folder}`, journal: undefined }
      return [
        ...(await measureWorker(given, rounds, say)),
        await measureEmbedded(embedded, rounds),
        await measureWaits(given, rounds),
      ]
    } finally {
      service.kill('SIGKILL')
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

type Servers = Given & { journal: string }

/** A worker on Redis and PostgreSQL: how long it works, and how often it evaluates. */
async function measureWorker(given: Servers, rounds: number, say: (sentence: string) => void): Promise<Row[]> {
  const waiting: { bellhop: Timed; floor: Timed }[] = []
  for (let round = 0; round < rounds; round += 1)
    waiting.push({ bellhop: await evaluateWaiting(given, stormy), floor: await floorOf(given.queue) })
  const overtaken = waiting.flatMap(({ bellhop, floor }) =>
    times.map((time) => `${bellhop[time].overtaken} (${floor[time].overtaken})`),
  )
  say(
    `deliveries that were overtaken by one of the same merge request, of ${stormy.deliveries}; BullMQ alone in brackets: ${overtaken.join(', ')}`,
  )
  const rowsOf = (time: (typeof times)[number], of: string) => {
    const row = (name: string, unit: Row['unit'], what: (worked: Worked) => number) =>
      rowOf(
        { name: `${of}: ${name}`, what: 'bellhop', beside: 'BullMQ alone', unit },
        waiting.map(({ bellhop, floor }) => [what(bellhop[time]), what(floor[time])] as const),
      )
    return [
      row('until nothing waits', 'ms', ({ ms }) => ms),
      row('processor time of the worker', 'ms', ({ processorMs }) => processorMs),
      row('evaluations', '', ({ evaluations }) => evaluations),
    ]
  }
  return [
    ...rowsOf('first', `${named}, all waiting when a worker starts`),
    ...rowsOf('second', 'the same once more, with a worker that has evaluated a storm'),
  ]
}

/** One process with an embedded queue. `given.queue`: the folder of the databases. */
async function measureEmbedded(given: Given, rounds: number): Promise<Row> {
  const pairs: [number, number][] = []
  for (let round = 0; round < rounds; round += 1) {
    const [bellhop, floor] = [`${given.queue}/bot-${round}`, `${given.queue}/floor-${round}`]
    const worked = await evaluateInOneProcess({ ...given, queue: bellhop }, stormy)
    pairs.push([worked.processorMs, (await floorOf(floor)).second.processorMs])
  }
  return rowOf(
    { name: `${named}, in one embedded process`, what: 'bellhop', beside: 'BullMQ on PGlite', unit: 'ms' },
    pairs,
  )
}

async function measureWaits(given: Servers, rounds: number): Promise<Row> {
  const waits: [number, number][] = []
  const bot = await startBot(botEnvironment(given))
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const pair: [number, number] = [await waitedMs(bot, stormy), await waitedMs(bot, calm)]
      if (round > 0) waits.push(pair)
    }
  } finally {
    await bot.stop()
  }
  const name = 'median wait of the other merge requests'
  return rowOf({ name, what: 'with the hot one', beside: 'without', unit: 'ms', aim: { most: 2 } }, waits)
}

/** Median wait of the other merge requests in ms, from receipt of the oldest new event to the end of the evaluation. */
async function waitedMs({ url }: RunningBot, storm: Storm): Promise<number> {
  const since = new Date().toISOString()
  await sendStorm(storm, async (iid) => void (await deliver(url, iid)))
  await untilSettled(url)
  const decisions = await decisionsSince(url, { since })
  return median(
    decisions.flatMap(({ mergeRequest, waitedMs: ms }) =>
      mergeRequest.iid === hotIid || ms === undefined ? [] : [ms],
    ),
  )
}

async function floorOf(queue: string): Promise<Timed> {
  const args = [queue, stormy.deliveries, stormy.hot, others].map(String)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the floor ended with ${code}`)
  return JSON.parse(said)
}
