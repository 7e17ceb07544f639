// `npm run soak -- [options]`: the bot under random faults; exit 0 if every promise held, 1 if not, 2 for wrong usage.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Options, readOptions, usage } from './options.ts'
import { printed, reportOf } from './report.ts'
import { soak } from './soak.ts'

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

const options = readOptions(process.argv.slice(2))
if (options === undefined) process.stderr.write(usage)
process.exitCode = options === undefined ? 2 : await run(options)
