import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import express from 'express'
import type { Logger } from 'pino'
import { createAuthenticator } from '../../admin/access/authenticate.ts'
import { allAdminTokens } from '../../admin/access/tokens.ts'
import { adminApi } from '../../admin/admin-api.ts'
import { health } from '../../admin/health.ts'
import { createMetrics } from '../../admin/metrics/metrics.ts'
import { serveMetrics } from '../../admin/metrics/serve-metrics.ts'
import { adminPages } from '../../admin/pages/server/admin-pages.ts'
import { liveDefaults } from '../../admin/pages/server/live.ts'
import { createSessions } from '../../admin/pages/session/session.ts'
import type { Bot } from '../../bot/bot-options.ts'
import { createRuleCache } from '../../bot/rule-files/rule-cache.ts'
import { defaultRetryDelays, type RetryDelays } from '../../bot/service/retry-delays.ts'
import { databaseHealth } from '../../journal/database-health.ts'
import type { JournalDatabase } from '../../journal/journal-database.ts'
import { openJournal } from '../../journal/open-journal.ts'
import type { Journal } from '../../journal/types.ts'
import { openQueues } from '../../queue/open-queue.ts'
import type { Queues } from '../../queue/types.ts'
import { chatsOf } from '../chats/chats-file.ts'
import type { Config } from '../settings/settings.ts'
import { version } from '../version.ts'
import { clientAddress } from './client-address.ts'
import { createService, type GivenChat, type GivenService, readOperator } from './create-service.ts'
import { answerErrors } from './http-errors.ts'
import { closeServer, httpServer, listen } from './http-server.ts'
import { botPage } from './start-page.ts'

export interface Bellhop {
  /** `http://127.0.0.1:N`. */
  url: string
  bot: Bot
  queue: Queues
  journal: Journal
  /**
   * Fails /readyz, stops accepting after the delay for receivers, finishes or releases running jobs within the limit, and
   * closes queue and server.
   */
  stop(): Promise<void>
}

export interface StartOptions {
  log: Logger
  /** Called with a sentence when something takes long. */
  onProgress?: (sentence: string) => void
  /** By default the token of the configuration, and Node's fetch. */
  service?: GivenService
  /** For notifications; Node's fetch when absent. */
  notificationFetch?: typeof fetch | undefined
  /** Those that the configuration names when absent. */
  chats?: readonly GivenChat[]
  /** Whether jobs are spans of traces (start-tracing.ts). */
  isTraced?: boolean
  /** Milliseconds until another process takes over a dead one's jobs. */
  lockMs?: number
  /** Overrides of the default retry policy. */
  retryDelays?: Partial<RetryDelays>
}

/** Opens queue and journal, starts the bot, and listens. Throws Errors with messages for users. */
export async function startBellhop(config: Config, { log, onProgress, ...options }: StartOptions): Promise<Bellhop> {
  const retryDelays = { ...defaultRetryDelays, ...options.retryDelays }
  const chats = options.chats ?? (await chatsOf(config.chats, process.env))
  const operator = await readOperator(config, chats)
  const queue = await openQueues({
    url: config.queueUrl,
    ...(options.lockMs === undefined ? {} : { lockMs: options.lockMs }),
    ...(options.isTraced === undefined ? {} : { isTraced: options.isTraced }),
    log: (message, error) => log.warn({ event: 'queue', err: error }, message),
    onReplicas: (online) =>
      online
        ? log.info({ event: 'redis_replicas_online' }, 'a replica of Redis confirms deliveries')
        : log.warn({ event: 'redis_replicas_gone' }, 'no replica of Redis is online: a failover may lose deliveries'),
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  let database: JournalDatabase | undefined
  try {
    database = await openDatabase(config.journalUrl, queue, log)
    const now = () => Date.now()
    const journalHealth = database === undefined ? undefined : databaseHealth(database, now)
    const history = config.historyDays * 24 * 60 * 60 * 1_000
    const journal = await openJournal(
      database?.store ?? queue.store,
      { history, most: config.historyCount },
      journalHealth?.failed,
    )
    const operatorRules = operator.files.flatMap(({ rules: { file, rules } }) =>
      rules.map(({ name }) => `${file}#${name}`),
    )
    const metrics = createMetrics({ version, queue: queue.kind, operatorRules })
    const service = createService({
      ...operator,
      ...(options.service ?? { token: () => config.serviceToken }),
      config,
      ruleCache: createRuleCache(),
      queue,
      metrics,
      retryDelays,
      notificationFetch: options.notificationFetch,
      chats,
      now,
      journal,
      log,
    })
    const { bot } = service
    const stopping = new AbortController()
    const tokens = allAdminTokens(config.adminToken, config.adminTokens)
    const authenticator = createAuthenticator(tokens, () => performance.now(), clientAddress(config.trustedProxies))
    const admin = { authenticator, context: service.admin, log }
    const app = express().disable('x-powered-by').disable('etag')
    if (config.only !== 'worker') app.use('/hooks', bot.routes)
    app.get('/', botPage)
    app.use(
      health({
        ...{ queue, journal: journalHealth, log },
        ...{ capacity: bot.capacity.condition, service: service.condition, scope: service.tokenScope },
        isStopping: () => stopping.signal.aborted,
      }),
      serveMetrics({
        metrics,
        queue: queue.store,
        queues: bot.queues,
        journal,
        service: service.condition,
        now,
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
    const server = await listen(httpServer(app), config.port, config.host)
    bot.start(config.only)
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${(server.address() as AddressInfo).port}`
    log.info(
      {
        event: 'listening',
        url,
        only: config.only,
        queue: queue.kind,
        service: config.serviceUrl,
        operatorFiles: [...new Set(operator.files.map(({ path }) => path))],
      },
      `listening on ${url}`,
    )
    const stop = async () => {
      stopping.abort()
      const closed = closeAfterDelay(server, config)
      await bot.stop(config.shutdownTimeoutMs)
      await closed
      await queue.close()
      await database?.close()
      log.info({ event: 'stopped' }, 'stopped')
    }
    return { url, bot, queue, journal, stop }
  } catch (error) {
    await queue.close()
    await database?.close()
    throw error
  }
}

/** Undefined where the journal is stored with the queue. Loaded on use: the package stays unloaded. */
async function openDatabase(url: string, queue: Queues, log: Logger): Promise<JournalDatabase | undefined> {
  if (url === '') return undefined
  const { openJournalDatabase } = await import('../../journal/journal-database.ts')
  return openJournalDatabase({
    url,
    queue: queue.store,
    log: (message, error) => log.warn({ event: 'journal', err: error }, message),
  })
}

/** Who sends deliveries learns from /readyz that others take them; a worker takes none. */
async function closeAfterDelay(server: Server, { only, shutdownDelayMs, shutdownTimeoutMs }: Config): Promise<void> {
  if (only !== 'worker') await delay(shutdownDelayMs)
  await closeServer(server, shutdownTimeoutMs)
}
