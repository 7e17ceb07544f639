// How long evaluating a storm takes: 3,000 deliveries, a third for one merge request, with 5 ms for each API call.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { portOf } from '../port-of.ts'
import { type Bench, median, rowOf } from '../row.ts'
import { startServers } from '../servers.ts'
import { decisionsSince, hotIid, others, type Storm, sendStorm, untilSettled } from './storm.ts'
import { evaluateWaiting, type Worked } from './waiting.ts'

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
      const given = { queue, journal, rules: folder, service: address }
      const waiting: { bellhop: Timed; floor: Timed }[] = []
      for (let round = 0; round < rounds; round += 1)
        waiting.push({ bellhop: await evaluateWaiting(given, stormy, evaluations), floor: await floorOf(queue) })
      const overtaken = waiting.flatMap(({ bellhop, floor }) =>
        times.map((time) => `${bellhop[time].overtaken} (${floor[time].overtaken})`),
      )
      say(
        `deliveries that were overtaken by one of the same merge request, of ${stormy.deliveries}; BullMQ alone in brackets: ${overtaken.join(', ')}`,
      )
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
      const beside = { what: 'bellhop', beside: 'BullMQ alone' }
      const rowsOf = (time: (typeof times)[number], of: string) => {
        const pairs = (what: (worked: Worked) => number) =>
          waiting.map(({ bellhop, floor }) => [what(bellhop[time]), what(floor[time])] as const)
        return [
          rowOf(
            { name: `${of}: until nothing waits`, ...beside, unit: 'ms' },
            pairs(({ ms }) => ms),
          ),
          rowOf(
            { name: `${of}: processor time of the worker`, ...beside, unit: 'ms' },
            pairs(({ processorMs }) => processorMs),
          ),
          rowOf(
            { name: `${of}: evaluations`, ...beside, unit: '' },
            pairs((worked) => worked.evaluations),
          ),
        ]
      }
      return [
        ...rowsOf('first', `${named}, all waiting when a worker starts`),
        ...rowsOf('second', 'the same once more, with a worker that has evaluated a storm'),
        rowOf(
          {
            name: 'median wait of the other merge requests',
            what: 'with the hot one',
            beside: 'without',
            unit: 'ms',
            aim: { most: 2 },
          },
          waits,
        ),
      ]
    } finally {
      service.kill('SIGKILL')
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
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

async function floorOf(redis: string): Promise<Timed> {
  const args = [redis, stormy.deliveries, stormy.hot, others].map(String)
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
