// `npm run soak -- [options]`: the bot under random faults; exit 0 when every promise held, 1 when one was broken, 2 for wrong usage.
import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printed, reportOf } from './report.ts'
import { type FaultKind, faultKinds } from './schedule.ts'
import { soak } from './soak.ts'

const usage = `Usage: npm run soak -- [--minutes M] [--faults all|none|LIST] [--seed S] [--queue embedded|redis|both] [--format text|json]

  --minutes M   how long people work, on each queue (1); rest and checks come after it
  --faults      all (the default), none, or some of ${faultKinds.join(',')}
  --seed S      a whole number; the same seed gives the same steps (drawn by chance without it, and printed)
  --queue       where the jobs are (both); redis needs redis-server on the PATH
  --keep        keep the folder of logs also when every promise held
`

interface Options {
  minutes: number
  faults: FaultKind[]
  seed: number
  queues: ('embedded' | 'redis')[]
  json: boolean
  keep: boolean
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      faults: { type: 'string', default: 'all' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      queue: { type: 'string', default: 'both' },
      format: { type: 'string', default: 'text' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const minutes = Number(values.minutes)
  const seed = Number(values.seed)
  const queues =
    values.queue === 'both'
      ? (['embedded', 'redis'] as const)
      : (['embedded', 'redis'] as const).filter((each) => each === values.queue)
  const wanted = values.faults === 'all' ? faultKinds : values.faults === 'none' ? [] : values.faults.split(',')
  const faults = faultKinds.filter((each) => wanted.includes(each))
  const fine =
    !values.help &&
    minutes > 0 &&
    Number.isInteger(seed) &&
    queues.length > 0 &&
    faults.length === wanted.length &&
    ['text', 'json'].includes(values.format)
  return fine
    ? { minutes, faults, seed, queues: [...queues], json: values.format === 'json', keep: values.keep }
    : undefined
}

async function run({ minutes, faults, seed, queues, json, keep }: Options): Promise<number> {
  const reports = []
  for (const queue of queues) {
    const folder = await mkdtemp(join(tmpdir(), `bellhop-soak-${queue}-`))
    const say = (line: string) => process.stderr.write(`soak (${queue}, seed ${seed}): ${line}\n`)
    const result = await soak({ queue, minutes, seed, faults, folder, onProgress: say })
    const report = reportOf(result)
    reports.push(report)
    if (!json) process.stdout.write(printed(report))
    if (report.violations.length > 0) {
      await writeFile(join(folder, 'record.json'), JSON.stringify(result.record))
      say(`promises were broken; the bot’s logs, the schedule and the record of all that happened are in ${folder}`)
      say(
        `again: npm run soak -- --queue ${queue} --seed ${seed} --minutes ${minutes} --faults ${faults.join(',') || 'none'}`,
      )
    } else if (!keep) await rm(folder, { recursive: true, force: true })
  }
  if (json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`)
  return reports.some(({ violations }) => violations.length > 0) ? 1 : 0
}

const options = readOptions()
if (options === undefined) process.stderr.write(usage)
process.exitCode = options === undefined ? 2 : await run(options)
