// A receiver or a worker as a process of its own, as built, whose jobs are another's two seconds after it died: settings from the environment.

import { createLog } from '../../../dist/cli/output/log.js'
import { startBellhop } from '../../../dist/cli/server/start-bellhop.js'
import { startReceiver } from '../../../dist/cli/server/start-receiver.js'
import { stopSignal } from '../../../dist/cli/server/stop-signal.js'
import { readConfig } from '../../../dist/cli/settings/config.js'

const read = readConfig(process.env, {})
if (!read.ok) throw new Error(read.problems.join('\n'))
const start = read.config.only === 'receiver' ? startReceiver : startBellhop
const bellhop = await start(read.config, { log: createLog({ level: 'warn', secrets: [] }), lockMs: 2_000 })
const stopped = stopSignal()
process.stdout.write(`bellhop: ${bellhop.url}\n`)
await stopped
await bellhop.stop()
process.exit(0)
