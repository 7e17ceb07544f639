// How cost grows with waiting jobs, projects and rules, and a receiver's memory over a hundred thousand deliveries.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from '../../test/servers/redis-server.ts'
import { admin } from '../admin.ts'
import { botEnvironment, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { requireRedis } from '../needs.ts'
import { residentMb } from '../process-figures.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { evaluating } from '../rules/run.ts'
import { moonriseRequest, Sender } from '../sender.ts'
import { again, ratesInTurns } from '../turns.ts'
import { type Filled, openFilled } from './filled.ts'

const few = { jobs: 100, projects: 10 }
const sizes = [
  { jobs: 10_000, projects: 1_000 },
  { jobs: 100_000, projects: 10_000 },
]
const rules = [500, 5_000]
const fewRules = 10
const deliveries = 99_000
const looks = 30
/** What a turn measures: so many, one after the other. */
const perTurn = 10
const connections = 32

const lists = [
  ['the queues', '/queue'],
  ['jobs that wait, page 1', '/queue/mergeRequests/jobs?state=delayed'],
  ['jobs that wait, the last page', (jobs: number) => `/queue/mergeRequests/jobs?state=delayed&from=${jobs - 50}`],
  ['the newest deliveries', '/deliveries'],
  ['deliveries of a project', '/deliveries?project=1001'],
] as const

export const bench: Bench = {
  about:
    'receiver, evaluation and lists with 100,000 jobs and 10,000 projects beside 100 and 10; 5,000 rules beside 10; memory over 99,000 deliveries',
  async measure({ rounds, say }) {
    requireRedis()
    const rows: Row[] = []
    const open: Filled[] = []
    try {
      for (const size of [few, ...sizes]) {
        open.push(await openFilled(size))
        say(`${size.jobs} jobs in line, ${size.projects} projects`)
      }
      const [small, ...large] = open as [Filled, ...Filled[]]
      for (const each of large) rows.push(...(await beside(each, small, rounds)))
    } finally {
      await Promise.all(open.map((each) => each.close()))
    }
    for (const count of rules) rows.push(await deciding(count, rounds))
    rows.push(await memory(say))
    return rows
  },
}

/** Nothing grows faster than its input. */
async function beside(large: Filled, small: Filled, rounds: number): Promise<Row[]> {
  const row = async (name: string, ms: (on: Filled) => Promise<number>): Promise<Row> => {
    const measured: [number, number][] = []
    for (let round = 0; round <= rounds; round += 1) {
      const pair: [number, number] = [await ms(large), await ms(small)]
      if (round > 0) measured.push(pair)
    }
    const aim = { most: large.jobs / small.jobs }
    return rowOf({ name, what: `${large.jobs} in line`, beside: `${small.jobs} in line`, unit: 'ms', aim }, measured)
  }
  const rows = [
    await row('a delivery taken', (on) => each(() => deliver(on.url, next()))),
    await row('from a delivery to its first call', (on) => each(() => firstCall(on))),
  ]
  for (const [name, path] of lists)
    rows.push(
      await row(`list: ${name}`, (on) => each(() => admin(on.url, typeof path === 'string' ? path : path(on.jobs)))),
    )
  return rows
}

/** Each is about a merge request of its own, which no other job is about. */
let sent = 1_000_000
const next = () => ++sent

/** Milliseconds of one, by the mean of a turn. */
async function each(one: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  for (let n = 0; n < perTurn; n += 1) await one()
  return (performance.now() - started) / perTurn
}

async function firstCall({ url, service }: Filled): Promise<void> {
  const call = await fetch(`${service}/next-call`)
  await deliver(url, next())
  await call.text()
}

function deciding(count: number, rounds: number): Promise<Row> {
  const [many, one] = [evaluating(count), evaluating(fewRules)]
  const named = { name: 'decisions, 100 files, whole trace', what: `${count} rules`, beside: `${fewRules} rules` }
  return ratesInTurns({ ...named, aim: { least: fewRules / count } }, [again(many, 50), again(one, 50)], {
    rounds,
    turnsPerRound: 4,
  })
}

/**
 * The lowest memory of a receiver: the least in the last third of so many deliveries beside the least in the third
 * before. Between two collections of the whole heap it may go up; a small heap has more of them.
 */
async function memory(say: (sentence: string) => void): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-growth-'))
  const redis = await startRedis([
    ['appendonly', 'no'],
    ['maxmemory-policy', 'noeviction'],
  ])
  const environment = botEnvironment({ queue: redis.url, rules: folder, only: 'receiver' })
  const bot = await startBot({
    ...environment,
    BELLHOP_MAX_BACKLOG: '99999999',
    NODE_OPTIONS: '--max-old-space-size=64',
  })
  const sender = await Sender.open(Number(new URL(bot.url).port), connections, moonriseRequest)
  try {
    const held: number[] = []
    for (let taken = 0; taken < deliveries; taken += deliveries / looks) {
      await sender.send(deliveries / looks)
      held.push(residentMb(bot.pid))
    }
    const [before, last] = [held.slice(looks / 3, (2 * looks) / 3), held.slice((2 * looks) / 3)].map((third) =>
      Math.min(...third),
    ) as [number, number]
    const slope = (last - before) / (deliveries / 3 / 1_000)
    say(
      `memory of the receiver: ${held.map((mb) => mb.toFixed(0)).join(', ')} MB; ${slope.toFixed(3)} MB for each 1,000 deliveries`,
    )
    const named = {
      name: `memory over ${deliveries} deliveries`,
      what: 'least of the last third',
      beside: 'of the third before',
    } as const
    return rowOf({ ...named, unit: 'MB', aim: { most: 1.1 } }, [[last, before]])
  } finally {
    sender.close()
    await bot.stop()
    await redis.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
