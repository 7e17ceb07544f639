// What tracing costs: processor time of a bot for a storm, without an endpoint beside a build that has no spans, and with one beside without.
import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startOtlpReceiver } from '../../test/otlp-receiver.ts'
import { startRedis } from '../../test/redis-server.ts'
import { bellhop, botEnvironment, type RunningBot, startBot } from '../bot.ts'
import { deliver } from '../deliver.ts'
import { type Storm, sendStorm, untilSettled } from '../evaluation/storm.ts'
import { requireRedis } from '../needs.ts'
import { portOf } from '../port-of.ts'
import { processorMs } from '../process-figures.ts'
import { type Bench, rowOf } from '../row.ts'

const root = resolve(import.meta.dirname, '../..')
const storm: Storm = { deliveries: 2_000, hot: 600 }
const rules = `version: 1
rules:
  - name: what is urgent is seen
    if: { labels: { any: [urgent] } }
    then: { subscribe: true }
`
/** In place of dist/tracing/span.js: what the steps would be if nothing were traced. */
const noSpans = `const span = { setAttribute() {} }
export const inSpan = (_name, _settings, run) => run(span)
export const markFailed = () => undefined
export const describeSpan = () => undefined
export const traceparent = () => undefined
export const linkSpan = () => undefined
`

export const bench: Bench = {
  about: 'processor time of a bot without tracing, beside a build without spans; and with tracing, beside without',
  async measure({ rounds, say }) {
    requireRedis()
    const folder = await mkdtemp(join(tmpdir(), 'bench-tracing-'))
    await writeFile(join(folder, 'rules.yml'), rules)
    const redis = await startRedis([
      ['appendonly', 'no'],
      ['maxmemory-policy', 'noeviction'],
    ])
    const service = spawn(process.execPath, [join(root, 'bench/evaluation/service.mjs'), '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const otlp = await startOtlpReceiver()
    const bots: RunningBot[] = []
    try {
      const given = { queue: redis.url, rules: folder, service: `http://127.0.0.1:${await portOf(service)}` }
      const start = async (name: string, environment: Record<string, string>, program?: string) => {
        const bot = await startBot({ ...botEnvironment(given), BELLHOP_SERVICE_NAME: name, ...environment }, program)
        bots.push(bot)
        return bot
      }
      const without = await start('without', {}, await buildWithoutSpans(folder))
      const off = await start('off', {})
      const on = await start('on', { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url })
      const measured: { without: number; off: number; on: number }[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const taken = { without: 0, off: 0, on: 0 }
        // Who comes first changes: what the machine does besides meets all alike.
        const turns = Object.entries({ without, off, on }) as [keyof typeof taken, RunningBot][]
        for (const [name, bot] of round % 2 === 0 ? turns : turns.toReversed()) taken[name] = await costOf(bot)
        if (round > 0) measured.push(taken)
      }
      say(`${Math.round(otlp.spans().length / ((rounds + 1) * storm.deliveries))} spans for each delivery`)
      const name = `processor time for ${storm.deliveries} deliveries`
      return [
        rowOf(
          { name, what: 'without an endpoint', beside: 'a build without spans', unit: 'ms' },
          measured.map((each) => [each.off, each.without]),
        ),
        rowOf(
          { name, what: 'traced', beside: 'without an endpoint', unit: 'ms' },
          measured.map((each) => [each.on, each.off]),
        ),
      ]
    } finally {
      for (const bot of bots) await bot.stop()
      otlp.close()
      service.kill('SIGKILL')
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function costOf({ url, pid }: RunningBot): Promise<number> {
  const before = processorMs(pid)
  await sendStorm(storm, async (iid) => void (await deliver(url, iid)))
  await untilSettled(url)
  return processorMs(pid) - before
}

/** The same build, bundled once more with other code for the spans; gives its command. */
async function buildWithoutSpans(folder: string): Promise<string> {
  const copy = join(folder, 'build')
  await cp(join(root, 'dist'), join(copy, 'dist'), {
    recursive: true,
    filter: (path) => !path.includes('/dist/bundle'),
  })
  await cp(join(root, 'bin'), join(copy, 'bin'), { recursive: true })
  for (const name of ['package.json', 'node_modules']) await symlink(join(root, name), join(copy, name))
  await writeFile(join(copy, 'dist/tracing/span.js'), noSpans)
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/bundle.ts', join(copy, 'dist')], {
    cwd: root,
  })
  return join(copy, 'bin', bellhop.split('/').at(-1) ?? '')
}
