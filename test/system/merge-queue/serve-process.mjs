// The whole of Bellhop as a process of its own, as built, for tests that kill it: `node serve-process.mjs ENVIRONMENT`.
import { pino } from 'pino'
import { startBellhop } from '../../../dist/cli/server/start-bellhop.js'
import { readConfig } from '../../../dist/cli/settings/config.js'

const read = readConfig(JSON.parse(process.argv[2] ?? '{}'), {})
if (!read.ok) throw new Error(read.problems.join('\n'))
// A dead process's jobs are taken up soon.
await startBellhop(read.config, {
  lockMs: 1_000,
  log: pino({ level: 'info' }, pino.destination({ dest: 2, sync: true })),
})
