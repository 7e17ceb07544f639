// CPU time of commands, beside a bare node, and the time until the bot is ready.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { botEnvironment, bellhop as command, type RunningBot, startBot, startSandbox } from '../bot.ts'
import { processorMs, residentMb } from '../process-figures.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { textOf } from '../rules/rule-set.ts'
import { startServers } from '../servers.ts'

/** What a start leaves to collect is collected by then. */
const settlingMs = 60_000
const idleMs = 120_000
const mostResidentMb = 200

export const bench: Bench = {
  about: 'processor time of commands, beside node -e 0; how long the bot takes to be ready; what it takes while idle',
  async measure({ rounds }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-start-'))
    const { queue, journal, stop } = await startServers()
    try {
      const file = join(folder, 'rules.yml')
      await writeFile(file, textOf(20))
      const bare = ['-e', '0']
      const rows: Row[] = []
      for (const { name, args, aim } of [
        { name: 'bellhop --help', args: ['--help'], aim: { most: 1.3 } },
        { name: 'bellhop check FILE', args: ['check', file], aim: { most: 3 } },
      ])
        rows.push(
          await inTurns(
            { name: `${name}, processor time`, aim },
            () => processorTime([command, ...args]),
            () => processorTime(bare),
            rounds * 3,
          ),
        )
      const onServers = () => readyAfter(() => startBot(botEnvironment({ queue, journal, rules: folder })))
      rows.push(
        await inTurns(
          { name: 'bellhop serve, ready on Redis and PostgreSQL (≤ 1000 ms)' },
          onServers,
          () => wallTime(bare),
          rounds,
        ),
      )
      let directory = ''
      const named = { what: 'embedded', beside: 'bot on Redis and PostgreSQL' }
      for (const { name, start, most } of [
        {
          name: 'bellhop serve',
          most: { first: 2.8, later: 1.8 },
          start: () => startBot(botEnvironment({ queue: `embedded:${directory}`, rules: folder })),
        },
        { name: 'bellhop sandbox --data', most: { first: 4, later: 3 }, start: () => startSandbox(directory) },
      ]) {
        const newDirectory = async () => {
          directory = await mkdtemp(join(folder, 'embedded-'))
        }
        const first = async () => {
          await newDirectory()
          return readyAfter(start)
        }
        const later = () => readyAfter(start)
        for (const each of [
          { name: `${name}, first start`, aim: { most: most.first }, start: first },
          { name: `${name}, later start`, aim: { most: most.later }, start: later },
        ])
          rows.push(await inTurns({ name: each.name, aim: each.aim, ...named }, each.start, onServers, rounds))
        await newDirectory()
        rows.push(...(await idle(name, start)))
      }
      return rows
    } finally {
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Milliseconds from spawn until it says where it listens. */
async function readyAfter(start: () => Promise<RunningBot>): Promise<number> {
  const started = performance.now()
  const bot = await start()
  const ms = performance.now() - started
  await bot.stop()
  return ms
}

/** Idle, its processor time beside the time that passes (0.003 is 0.3 % of a core), and its resident memory. */
async function idle(name: string, start: () => Promise<RunningBot>): Promise<Row[]> {
  const bot = await start()
  try {
    await passed(settlingMs)
    const began = performance.now()
    const before = processorMs(bot.pid)
    await passed(idleMs)
    const took = processorMs(bot.pid) - before
    const time = { what: 'processor time', beside: 'time', aim: { most: 0.003 } }
    const memory = { what: 'resident', beside: 'the most to reach', aim: { most: 1 } }
    return [
      rowOf({ name: `${name}, idle, embedded`, ...time, unit: 'ms' }, [[took, performance.now() - began]]),
      rowOf({ name: `${name}, idle, embedded`, ...memory, unit: 'MB' }, [[residentMb(bot.pid), mostResidentMb]]),
    ]
  } finally {
    await bot.stop()
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** In turns, after a warm-up round. */
async function inTurns(
  named: Pick<Row, 'name' | 'aim'> & Partial<Pick<Row, 'what' | 'beside'>>,
  one: () => Promise<number>,
  other: () => Promise<number>,
  rounds: number,
): Promise<Row> {
  const measured: [number, number][] = []
  for (let round = 0; round <= rounds; round += 1) {
    const pair: [number, number] = [await one(), await other()]
    if (round > 0) measured.push(pair)
  }
  return rowOf({ what: 'bellhop', beside: 'node -e 0', ...named, unit: 'ms' }, measured)
}

/** Milliseconds; other load on the machine changes them little. */
async function processorTime(args: readonly string[]): Promise<number> {
  const telling = ['--require', join(import.meta.dirname, 'processor-time.cjs')]
  const child = spawn(process.execPath, [...telling, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  let told = ''
  child.stdio[3]?.on('data', (bytes) => {
    told += String(bytes)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`)
  return Number(told) / 1000
}

/** Milliseconds from spawn to end. */
async function wallTime(args: readonly string[]): Promise<number> {
  const started = performance.now()
  await processorTime(args)
  return performance.now() - started
}
