// The whole of Bellhop as a process of its own, for tests that kill it. Its argument: its settings.
import { pino } from 'pino'
import { startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { readConfig } from '../../../src/cli/settings/settings.ts'

const read = readConfig(JSON.parse(process.argv[2] ?? '{}'), {})
if (!read.ok) throw new Error(read.problems.join('\n'))
// A dead process's jobs are taken up soon.
await startBellhop(read.config, {
  lockMs: 3_000,
  log: pino({ level: 'info' }, pino.destination({ dest: 2, sync: true })),
})
