// An installation whose bot is stopped and started again with other stores, as after a restore on another machine.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '../../../src/cli/output/log.ts'
import { type Running, startReceiver } from '../../../src/cli/server/run-server.ts'
import { type Bellhop, startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { startNoticeReceiver } from '../../notice-receiver.ts'
import { freePort } from '../../servers/redis-server.ts'
import { configOf } from '../config-of.ts'
import { known, startTestWorld } from '../world.ts'
import type { StoreSettings } from './stores.ts'

export type Installation = Awaited<ReturnType<typeof startInstallation>>

/** The bot listens on the same port each time, so that the hook stays as it is. */
export async function startInstallation(rules: string, stores: StoreSettings) {
  const port = String(await freePort())
  const { BELLHOP_QUEUE_URL: queueUrl, ...others } = stores
  const chat = await startNoticeReceiver()
  const prepare = async (folder: string) => {
    const [file, address] = [join(folder, 'chats.yml'), join(folder, 'address')]
    await writeFile(address, chat.url)
    await writeFile(file, `version: 1\nchats:\n  team: { kind: json, url: { file: ${address} } }\n`)
    return { BELLHOP_CHATS: file }
  }
  const world = await startTestWorld({ rules, queueUrl, settings: { ...others, BELLHOP_PORT: port }, prepare })
  const { sandbox, people, hookSecret, adminToken, folder } = world
  let bellhop: Bellhop | undefined = world.bellhop
  let receiver: Running | undefined
  const running = () => known(bellhop)
  const accepted = async () => {
    const { waiting, active, delayed, failed, completed } = await running().bot.queues.deliveries.counts()
    return waiting + active + delayed + failed + completed
  }
  const stop = async () => {
    const stopping = bellhop ?? receiver
    bellhop = undefined
    receiver = undefined
    await stopping?.stop()
  }
  return {
    world,
    bellhop: running,
    stop,
    async start(settings: StoreSettings) {
      const config = configOf({
        BELLHOP_SERVICE_URL: sandbox.url,
        BELLHOP_SERVICE_TOKEN: people.bellhop.token,
        BELLHOP_HOOK_SECRET: hookSecret,
        BELLHOP_ADMIN_TOKEN: adminToken,
        BELLHOP_NEW_RULE_LIMIT: '0',
        BELLHOP_PORT: port,
        BELLHOP_CHATS: join(folder, 'chats.yml'),
        BELLHOP_RULES: join(folder, 'rules'),
        BELLHOP_WORK_DIR: join(folder, 'work'),
        ...settings,
      })
      const log = createLog({ level: 'info', secrets: [], write: (line) => world.rawLog.push(line) })
      if (config.only === 'receiver') receiver = await startReceiver(config, { log })
      else bellhop = await startBellhop(config, { log })
    },
    /** Waits until all hooks are delivered and nothing is left to do. */
    async settle() {
      for (let before = -1; before !== (await accepted()); ) {
        before = await accepted()
        await sandbox.idle()
        await running().bot.settled()
        await running().bot.queues.chats.settled()
        await sandbox.idle()
      }
    },
    /** How often a text was posted to the chat `team`. */
    posted: (text: string) => chat.taken.filter(({ body }) => JSON.parse(body).text.startsWith(text)).length,
    async end() {
      await sandbox.idle()
      await stop()
      await sandbox.close()
      await chat.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
