// Starts the whole bot in this process: queue, journal, the hosting services that it works for, admin, and the server in front of them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Logger } from 'pino'
import { adminApi } from '../admin/admin-api.ts'
import { createDoor } from '../admin/authenticate.ts'
import { health } from '../admin/health.ts'
import { createMetrics } from '../admin/metrics/metrics.ts'
import { serveMetrics } from '../admin/metrics/serve-metrics.ts'
import { adminPages } from '../admin/pages/admin-pages.ts'
import { usualLive } from '../admin/pages/live.ts'
import { createSessions } from '../admin/pages/session.ts'
import { allAdminTokens } from '../admin/tokens.ts'
import type { Bot } from '../bot/bot.ts'
import { type Patience, usualPatience } from '../bot/patience.ts'
import type { HookRoutes } from '../bot/receive.ts'
import { rememberedRules } from '../bot/remembered-rules.ts'
import { journalOf } from '../journal/journal-of.ts'
import { openJournal } from '../journal/open-journal.ts'
import type { Journal } from '../journal/types.ts'
import { openQueue } from '../queue/open-queue.ts'
import type { Queue } from '../queue/types.ts'
import { clientAddress } from './client-address.ts'
import { codeDigest } from './code-digest.ts'
import { answerErrors } from './http-errors.ts'
import { closeServer, httpServer, listen } from './http-server.ts'
import { createService, type GivenService, readOperator, type Service, serviceName } from './services/create-service.ts'
import type { Config } from './settings.ts'
import { version } from './version.ts'

export interface Bellhop {
  /** `http://127.0.0.1:N`. */
  url: string
  /** Of the first service. */
  bot: Bot
  /** By the services' names in refs. */
  bots: ReadonlyMap<string, Bot>
  queue: Queue
  journal: Journal
  /** Stops taking deliveries, finishes or releases what runs within the limit, closes queue and server. */
  stop(): Promise<void>
}

export interface StartOptions {
  log: Logger
  /** Told in a sentence when something takes long. */
  onProgress?: (sentence: string) => void
  /** The one that the configuration names when absent. */
  services?: readonly GivenService[]
  /** How the receiver of notices is reached; Node's own fetch when absent. */
  noticeFetch?: typeof fetch | undefined
  /** After so many milliseconds a dead process's jobs are another's; the queue's own when absent. */
  lockMs?: number
  /** What differs from the usual. */
  patience?: Partial<Patience>
}

/** Opens everything that the configuration names and listens. Throws with a sentence for people when something cannot be used. */
export async function startBellhop(config: Config, { log, onProgress, ...options }: StartOptions): Promise<Bellhop> {
  const patience = { ...usualPatience, ...options.patience }
  const reading = (options.services ?? [{ config, token: () => config.serviceToken }]).map(async (each) => ({
    ...{ ...each, name: each.config.serviceName || serviceName(each.config.serviceUrl) },
    ...(await readOperator(each.config)),
  }))
  const [code, given] = await Promise.all([codeDigest(), Promise.all(reading)])
  const shared = { code, rememberedRules: rememberedRules() }
  const isOneOfSeveral = given.length > 1
  const queue = await openQueue({
    url: config.queueUrl,
    ...(options.lockMs === undefined ? {} : { lockMs: options.lockMs }),
    log: (message, error) => log.warn({ event: 'queue', err: error }, message),
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  try {
    const journal = await openJournal(queue.store, { history: config.historyDays * 24 * 60 * 60 * 1_000, most: config.historyCount })
    const operatorRules = given.flatMap(({ files }) =>
      files.flatMap(({ rules: { file, rules } }) => rules.map(({ name }) => `${file}#${name}`)),
    )
    const metrics = createMetrics({ version, queue: queue.kind, operatorRules })
    const now = () => Date.now()
    const services = given.map((each) =>
      createService({
        ...{ ...each, ...shared, isOneOfSeveral, queue, metrics, patience, noticeFetch: options.noticeFetch, now },
        journal: isOneOfSeveral ? journalOf(journal, each.name) : journal,
        log: isOneOfSeveral ? log.child({ service: each.name }) : log,
      }),
    )
    const byName = new Map(services.map((each) => [each.name, each]))
    const [first] = services
    if (first === undefined) throw new Error('no hosting service is named')
    const stopping = new AbortController()
    const tokens = allAdminTokens(config.adminToken, config.adminTokens)
    const door = createDoor(tokens, now, clientAddress(config.trustedProxies))
    const admin = { door, desks: new Map(services.map(({ name, desk }) => [name, desk])), log }
    const app = express().disable('x-powered-by').disable('etag')
    app.use(
      health({ queue, services: byName, log }),
      serveMetrics({ metrics, services: byName, now, ...(config.metrics === 'token' ? { door } : {}) }),
      adminApi(admin),
      adminPages({
        ...admin,
        now,
        sessions: createSessions(tokens, now, journal),
        publicUrl: config.publicUrl,
        live: { ...usualLive, stopping: stopping.signal },
      }),
      answerErrors(log),
    )
    const hooks = config.only === 'worker' ? undefined : hooksOf(first, isOneOfSeveral ? services : [])
    const answer =
      hooks === undefined
        ? app
        : (request: IncomingMessage, response: ServerResponse) => hooks(request, response, () => app(request, response))
    const server = await listen(httpServer(answer), config.port, config.host)
    for (const { bot } of services) bot.start(config.only)
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${(server.address() as AddressInfo).port}`
    log.info(
      {
        event: 'listening',
        url,
        only: config.only,
        queue: queue.kind,
        service: isOneOfSeveral ? [...byName.keys()] : given[0]?.config.serviceUrl,
        operatorFiles: [...new Set(given.flatMap(({ files }) => files.map(({ path }) => path)))],
      },
      `listening on ${url}`,
    )
    const stop = async () => {
      stopping.abort()
      const closed = closeServer(server, config.stopWithinMs)
      await Promise.all(services.map(({ bot }) => bot.stop(config.stopWithinMs)))
      await closed
      await queue.close()
      log.info({ event: 'stopped' }, 'stopped')
    }
    return { url, bot: first.bot, bots: new Map(services.map(({ name, bot }) => [name, bot])), queue, journal, stop }
  } catch (error) {
    await queue.close()
    throw error
  }
}

/** `/hooks/<name>/…` is to a service of several what `/hooks/…` is to one alone; what was one service's before there were several goes on to be. */
function hooksOf(first: Service, several: readonly Service[]): HookRoutes {
  const named = new Map(several.map(({ name, bot }) => [name, bot.routes]))
  return (request, response, next) => {
    const [start = '', name = ''] = /^\/hooks\/([^/?]+)/.exec(request.url ?? '') ?? []
    const routes = named.get(name)
    if (routes === undefined) return first.bot.routes(request, response, next)
    request.url = `/hooks${request.url?.slice(start.length)}`
    routes(request, response, next)
  }
}
