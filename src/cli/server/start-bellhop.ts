// A process with a journal: the whole bot, or a worker.
import express from 'express'
import { createAuthenticator } from '../../admin/access/authenticate.ts'
import { allAdminTokens } from '../../admin/access/tokens.ts'
import { adminApi } from '../../admin/admin-api.ts'
import { health } from '../../admin/health.ts'
import { createMetrics } from '../../admin/metrics/metrics.ts'
import { serveMetrics, totalsOf } from '../../admin/metrics/serve-metrics.ts'
import { adminPages } from '../../admin/pages/server/admin-pages.ts'
import { liveDefaults } from '../../admin/pages/server/live.ts'
import { createSessions } from '../../admin/pages/session/session.ts'
import type { Bot } from '../../bot/bot-options.ts'
import { createRuleCache } from '../../bot/rule-files/rule-cache.ts'
import { defaultRetryDelays, type RetryDelays } from '../../bot/service/retry-delays.ts'
import { type OpenJournal, openJournalOf } from '../../journal/open-journal.ts'
import type { Journal } from '../../journal/types.ts'
import type { Queues } from '../../queue/types.ts'
import { chatsOf } from '../chats/chats-file.ts'
import type { Config } from '../settings/settings.ts'
import { version } from '../version.ts'
import { clientAddress } from './client-address.ts'
import { createService, type GivenChat, type GivenService, readOperator } from './create-service.ts'
import { answerErrors } from './http-errors.ts'
import { openQueue, type QueueOptions, type Running, runServer } from './run-server.ts'
import { botPage } from './start-page.ts'

export interface Bellhop extends Running {
  bot: Bot
  queue: Queues
  journal: Journal
}

export interface StartOptions extends QueueOptions {
  /** By default the token of the configuration, and Node's fetch. */
  service?: GivenService
  /** For notifications; Node's fetch when absent. */
  notificationFetch?: typeof fetch | undefined
  /** Those that the configuration names when absent. */
  chats?: readonly GivenChat[]
  /** Overrides of the default retry policy. */
  retryDelays?: Partial<RetryDelays>
}

/** Opens queue and journal, starts the bot, and listens. Throws Errors with messages for users. */
export async function startBellhop(config: Config, options: StartOptions): Promise<Bellhop> {
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
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    })
    const { journal, ping, freeDisk, close } = opened
    const now = () => Date.now()
    const operatorRules = operator.files.flatMap(({ rules: { file, rules } }) =>
      rules.map(({ name }) => `${file}#${name}`),
    )
    const metrics = createMetrics({ version, queue: queue.kind, operatorRules })
    const { bot, ...service } = createService({
      ...operator,
      ...(options.service ?? { token: () => config.serviceToken }),
      config,
      ruleCache: createRuleCache(),
      queue: freeDisk === undefined ? queue : withDisk(queue, freeDisk),
      metrics,
      retryDelays: { ...defaultRetryDelays, ...options.retryDelays },
      notificationFetch: options.notificationFetch,
      chats,
      now,
      journal,
      log,
    })
    const stopping = new AbortController()
    const tokens = allAdminTokens(config.adminToken, config.adminTokens)
    const authenticator = createAuthenticator(tokens, () => performance.now(), clientAddress(config.trustedProxies))
    const admin = { authenticator, context: service.admin, log }
    const app = express().disable('x-powered-by').disable('etag')
    if (config.only !== 'worker') app.use('/hooks', bot.routes)
    app.get('/', botPage)
    app.use(
      health({
        ...{ queue, journal: ping && { ping }, log },
        ...{ capacity: bot.capacity.condition, service: service.condition, scope: service.tokenScope },
        isStopping: () => stopping.signal.aborted,
      }),
      serveMetrics({
        ...{ metrics, queue: queue.store, queues: bot.queues, now },
        totals: totalsOf(journal, service.condition, now),
        ...(config.metrics === 'token' ? { authenticator } : {}),
      }),
      adminApi(admin),
      adminPages({
        ...admin,
        now,
        sessions: createSessions(tokens, now, journal),
        publicUrl: config.publicUrl,
        live: { ...liveDefaults, stopping: stopping.signal },
      }),
      answerErrors(log),
    )
    const operatorFiles = [...new Set(operator.files.map(({ path }) => path))]
    const running = await runServer({
      ...{ config, app, stopping, log, about: { queue: queue.kind, operatorFiles } },
      start: () => bot.start(config.only === 'worker' ? 'worker' : undefined),
      stop: () => bot.stop(config.shutdownTimeoutMs),
      close: () => queue.close().then(close),
    })
    return { ...running, bot, queue, journal }
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
