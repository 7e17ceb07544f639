// A process with a journal: the whole bot, or a worker.
import { adminApi } from '../../admin/admin-api.ts'
import { createMetrics } from '../../admin/metrics/metrics.ts'
import { totalsOf } from '../../admin/metrics/serve-metrics.ts'
import { adminPages } from '../../admin/pages/server/admin-pages.ts'
import { createSessions } from '../../admin/pages/session/session.ts'
import type { Bot } from '../../bot/bot.ts'
import { defaultRetryDelays, type RetryDelays } from '../../bot/service/retry-policy.ts'
import type { Journal } from '../../journal/journal.ts'
import { type OpenJournal, openJournalOf } from '../../journal/open-journal.ts'
import type { Queues } from '../../queue/types.ts'
import { chatsOf } from '../chats/chats-file.ts'
import type { Config } from '../settings/settings.ts'
import { version } from '../version.ts'
import { createService, type GivenChat, type GivenService, readOperator } from './create-service.ts'
import { openQueue, type QueueOptions, type Running, runServer } from './run-server.ts'

export interface Bellhop extends Running {
  bot: Bot
  queue: Queues
  journal: Journal
}

export interface StartOptions extends QueueOptions {
  /** The token of the configuration and Node's fetch when absent. */
  service?: GivenService
  /** For notifications; Node's fetch when absent. */
  notificationFetch?: typeof fetch
  /** The chats that the configuration names when absent. */
  chats?: readonly GivenChat[]
  /** `bellhop run`. */
  withoutServer?: boolean
  /** Overrides of the default retry policy. */
  retryDelays?: Partial<RetryDelays>
}

/** Opens queue and journal, starts the bot, and listens. Throws Errors with messages for users. */
export async function startBellhop(config: Config, options: StartOptions): Promise<Bellhop> {
  const { log } = options
  const opened = await openBot(config, options)
  const { bot, service, queue, journal, metrics, ping, close } = opened
  try {
    const running = await runServer({
      ...{ config, queue, receiver: bot, close, log },
      health: { journal: ping && { ping }, service: service.condition, scope: service.tokenScope },
      metrics: { metrics, queues: bot.queues, totals: totalsOf(journal, service.condition) },
      admin({ authenticator, tokens }) {
        const admin = { authenticator, context: service.admin, log }
        const sessions = createSessions(tokens, Date.now, journal)
        const { publicUrl } = config
        return [adminApi(admin), adminPages({ ...admin, sessions, publicUrl })]
      },
      start: () => bot.start(config.only === 'worker' ? 'worker' : undefined),
      stop: () => bot.stop(config.shutdownTimeoutMs),
      operatorFiles: opened.operatorFiles,
    })
    return { ...running, bot, queue, journal }
  } catch (error) {
    await queue.close()
    await close()
    throw error
  }
}

/** The bot of `serve` without its server; nothing runs yet. Throws Errors with messages for users. */
export async function openBot(config: Config, options: StartOptions) {
  const { log } = options
  const chats = options.chats ?? (await chatsOf(config.chats, process.env))
  const operator = await readOperator(config, chats)
  const queue = await openQueue(config, options)
  let opened: OpenJournal | undefined
  try {
    opened = await openJournalOf({
      queue: queue.store,
      url: config.journalUrl,
      retention: { history: config.historyDays * 24 * 60 * 60 * 1_000, most: config.historyCount },
      log: (message, error) => log.warn({ event: 'journal', err: error }, message),
      onProgress: options.onProgress,
    })
    const { journal, ping, freeDisk, close } = opened
    const operatorRules = operator.files.flatMap(({ rules: { file, rules } }) =>
      rules.map(({ name }) => `${file}#${name}`),
    )
    const metrics = createMetrics({ version, queue: queue.kind, operatorRules })
    const { bot, ...service } = createService({
      ...operator,
      ...(options.service ?? { token: () => config.serviceToken }),
      config,
      queue: freeDisk === undefined ? queue : withDisk(queue, freeDisk),
      metrics,
      retryDelays: { ...defaultRetryDelays, ...options.retryDelays },
      notificationFetch: options.notificationFetch,
      withoutServer: options.withoutServer,
      ...{ chats, journal, log },
    })
    const operatorFiles = [...new Set(operator.files.map(({ path }) => path))]
    return { bot, service, queue, journal, metrics, ping, close, operatorFiles }
  } catch (error) {
    await queue.close()
    await opened?.close()
    throw error
  }
}

/** The disk of an embedded journal fills as that of an embedded queue does. */
const withDisk = (queue: Queues, freeDisk: () => Promise<number>): Queues => ({
  ...queue,
  space: async () => ({ ...(await queue.space()), freeDisk: await freeDisk() }),
})
