// A bot whose admin side alone is asked: its service is never reached.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createLog } from '../../src/cli/output/log.ts'
import { type Bellhop, startBellhop } from '../../src/cli/server/start-bellhop.ts'
import { readConfig } from '../../src/cli/settings/settings.ts'

export const adminToken = 'admin-token-of-this-test'

export interface AdminWorld {
  bellhop: Bellhop
  /** The lines of the log. */
  lines(): { event?: string; from?: string }[]
}

/** Starts it for one test. */
export async function startAdminWorld(
  settings: Record<string, string> & { BELLHOP_QUEUE_URL: string },
): Promise<AdminWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-admin-'))
  const read = readConfig(
    {
      ...{
        BELLHOP_SERVICE_URL: 'http://127.0.0.1:9',
        BELLHOP_SERVICE_TOKEN: 'token',
        BELLHOP_HOOK_SECRET: 'hook-secret',
      },
      ...{ BELLHOP_PORT: '0', BELLHOP_SWEEP_EVERY: '0', BELLHOP_ADMIN_TOKEN: adminToken, BELLHOP_RULES: folder },
      ...settings,
    },
    {},
  )
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const written: string[] = []
  const bellhop = await startBellhop(read.config, {
    log: createLog({ level: 'info', secrets: [], write: (line) => written.push(line) }),
  })
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await bellhop.stop()
    isStopped = true
  }
  onTestFinished(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { bellhop: { ...bellhop, stop }, lines: () => written.map((line) => JSON.parse(line)) }
}
