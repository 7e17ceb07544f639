// A receiver or a worker process, set up by the environment; two seconds after its death others take its jobs.
import { createLog } from '../../../src/cli/output/log.ts'
import { startReceiver } from '../../../src/cli/server/run-server.ts'
import { startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { stopSignal } from '../../../src/cli/server/stop-signal.ts'
import { readConfig } from '../../../src/cli/settings/settings.ts'

const read = readConfig(process.env, {})
if (!read.ok) throw new Error(read.problems.join('\n'))
const start = read.config.only === 'receiver' ? startReceiver : startBellhop
const bellhop = await start(read.config, { log: createLog({ level: 'warn', secrets: [] }), lockMs: 6_000 })
const stopped = stopSignal()
process.stdout.write(`bellhop: ${bellhop.url}\n`)
await stopped
await bellhop.stop()
process.exit(0)
