// An installation of Bellhop whose bot is stopped and started again with other stores, as after a restore on another machine.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '../../../src/cli/output/log.ts'
import { type Bellhop, startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { readConfig } from '../../../src/cli/settings/config.ts'
import { freePort } from '../../servers/redis-server.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'
import type { StoreSettings } from './stores.ts'

export interface Installation {
  world: TestWorld
  bellhop(): Bellhop
  stop(): Promise<void>
  start(settings: StoreSettings): Promise<void>
  /** Waits until all hooks are delivered and nothing is left to do. */
  settle(): Promise<void>
  end(): Promise<void>
}

/** The bot listens on the same port each time, so that the hook stays as it is. */
export async function startInstallation(rules: string, stores: StoreSettings): Promise<Installation> {
  const port = String(await freePort())
  const { BELLHOP_QUEUE_URL: queueUrl, ...others } = stores
  const world = await startTestWorld({ rules, queueUrl, settings: { ...others, BELLHOP_PORT: port } })
  const { sandbox, people, serviceName, hookSecret, adminToken, folder } = world
  let bellhop: Bellhop | undefined = world.bellhop
  const running = () => known(bellhop)
  const accepted = async () => {
    const { waiting, active, delayed, failed, completed } = await running().bot.queues.deliveries.counts()
    return waiting + active + delayed + failed + completed
  }
  const stop = async () => {
    const stopping = bellhop
    bellhop = undefined
    await stopping?.stop()
  }
  return {
    world,
    bellhop: running,
    stop,
    async start(settings) {
      const read = readConfig(
        {
          BELLHOP_SERVICE_URL: sandbox.url,
          BELLHOP_SERVICE_TOKEN: people.bellhop.token,
          BELLHOP_SERVICE_NAME: serviceName,
          BELLHOP_HOOK_SECRET: hookSecret,
          BELLHOP_ADMIN_TOKEN: adminToken,
          BELLHOP_NEW_RULE_LIMIT: '0',
          BELLHOP_PORT: port,
          BELLHOP_RULES: join(folder, 'rules'),
          BELLHOP_WORK_DIR: join(folder, 'work'),
          ...settings,
        },
        {},
      )
      if (!read.ok) throw new Error(read.problems.join('\n'))
      const log = createLog({ level: 'info', secrets: [], write: (line) => world.rawLog.push(line) })
      bellhop = await startBellhop(read.config, { log })
    },
    async settle() {
      for (let before = -1; before !== (await accepted()); ) {
        before = await accepted()
        await sandbox.idle()
        await running().bot.settled()
        await sandbox.idle()
      }
    },
    async end() {
      await sandbox.idle()
      await stop()
      await sandbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
