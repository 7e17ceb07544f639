// The cost of tracing: of spans without an endpoint beside all work of a delivery, and of all work with an endpoint
// beside that without.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSpan, inSpan, linkSpan, type SpanSettings, traceparent } from '../../src/tracing/span.ts'
import { startOtlpReceiver } from '../../test/system/tracing/otlp-receiver.ts'
import { botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { type Storm, sendStorm, untilSettled } from '../evaluation/storm.ts'
import { portOf } from '../port-of.ts'
import { processorMs } from '../process-figures.ts'
import { type Bench, rowOf } from '../row.ts'
import { startServers } from '../servers.ts'

const storm: Storm = { deliveries: 500, hot: 150 }
/** A round is so many storms of each, in turns: what else the machine does meets both alike. */
const turns = 4
const repeated = 100_000
const callsOfDelivery = 4
const rules = `version: 1
rules:
  - name: what is urgent is seen
    if: { labels: { any: [urgent] } }
    then: { subscribe: true }
`

export const bench: Bench = {
  about: 'processor time of the spans of a delivery without an endpoint, next to all its work; and of a traced bot',
  async measure({ rounds, say }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-tracing-'))
    await writeFile(join(folder, 'rules.yml'), rules)
    const { queue, journal, postgres, stop } = await startServers()
    const service = spawn(process.execPath, [join(import.meta.dirname, '../evaluation/service.mjs'), '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const otlp = await startOtlpReceiver()
    const bots: RunningBot[] = []
    try {
      const given = { rules: folder, service: `http://127.0.0.1:${await portOf(service)}` }
      const start = async (of: { queue: string; journal: string }, environment: Record<string, string>) => {
        const bot = await startBot({ ...botEnvironment({ ...given, ...of }), ...environment })
        bots.push(bot)
        return bot
      }
      const off = await start({ queue, journal }, {})
      const other = { queue: `${queue}/1`, journal: postgres.database('other') }
      const on = await start(other, { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url })
      const measured: { spans: number; off: number; on: number }[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const taken = { spans: await spansMs(), off: 0, on: 0 }
        for (let turn = 0; turn < turns; turn += 1) {
          taken.off += await deliveryMs(off)
          taken.on += await deliveryMs(on)
        }
        if (round > 0) measured.push({ spans: taken.spans, off: taken.off / turns, on: taken.on / turns })
      }
      const delivered = (rounds + 1) * turns * storm.deliveries
      say(`${(otlp.spans().length / delivered).toFixed(1)} spans for each delivery of the traced bot`)
      const named = { name: 'processor time for a delivery', unit: 'ms' } as const
      return [
        rowOf(
          { ...named, what: 'its spans without an endpoint', beside: 'all its work' },
          measured.map((each) => [each.spans, each.off]),
        ),
        rowOf(
          { ...named, what: 'all its work, traced', beside: 'without an endpoint' },
          measured.map((each) => [each.on, each.off]),
        ),
      ]
    } finally {
      for (const bot of bots) await bot.stop()
      otlp.close()
      service.kill('SIGKILL')
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function deliveryMs({ url, pid }: RunningBot): Promise<number> {
  const before = processorMs(pid)
  await sendStorm(storm, async (iid) => void (await deliver(url, iid)))
  await untilSettled(url)
  return (processorMs(pid) - before) / storm.deliveries
}

/** No SDK is registered in this process: what the flow does for one delivery, less the same without spans. */
async function spansMs(): Promise<number> {
  const [bare, traced] = [await timed(steps(bareStep)), await timed(steps(inSpan))]
  return (traced - bare) / repeated
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < repeated; n += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const bareStep = async (_name: string, _settings: unknown, run: () => Promise<void>) => run()
const attributes = { 'bellhop.delivery': 'one' }

function steps(step: (name: string, settings: SpanSettings, run: () => Promise<void>) => Promise<void>) {
  const isTraced = step !== bareStep
  return async () => {
    await step('POST /hooks', { attributes }, async () => {
      if (isTraced) describeSpan(attributes)
    })
    await step('intake', { attributes }, async () => {
      if (isTraced) describeSpan({ 'bellhop.event': traceparent() })
    })
    await step('evaluation', { attributes }, async () => {
      if (isTraced) linkSpan([undefined])
      for (let call = 0; call < callsOfDelivery; call += 1) await step('GET x', { attributes }, async () => undefined)
    })
  }
}
