// Starts the whole bot in this process: queue, journal, client, flow, admin, and the server in front of them.
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
import { type Bot, createBot } from '../bot/bot.ts'
import { readOperatorFiles } from '../bot/operator-files.ts'
import { type Patience, usualPatience } from '../bot/patience.ts'
import { readPolicyFile } from '../bot/policy-file.ts'
import { createServiceState, type ServiceCondition } from '../bot/service-state.ts'
import { createTokenScope } from '../bot/token-scope.ts'
import { createClient } from '../client/create-client.ts'
import { createPostNotice } from '../client/post-notice.ts'
import { openJournal } from '../journal/open-journal.ts'
import type { Journal } from '../journal/types.ts'
import { openQueue } from '../queue/open-queue.ts'
import type { Queue } from '../queue/types.ts'
import type { PolicyEntry } from '../rules/policy.ts'
import { createHookHealth } from './hooks/health.ts'
import { disabledHook } from './hooks/status.ts'
import { answerErrors } from './http-errors.ts'
import { closeServer, httpServer, listen } from './http-server.ts'
import type { Config } from './settings.ts'
import { version } from './version.ts'

export interface Bellhop {
  /** `http://127.0.0.1:N`. */
  url: string
  bot: Bot
  queue: Queue
  journal: Journal
  /** Stops taking deliveries, finishes or releases what runs within the limit, closes queue and server. */
  stop(): Promise<void>
}

export interface StartOptions {
  log: Logger
  /** Told in a sentence when something takes long. */
  onProgress?: (sentence: string) => void
  /** Asked before each request; the configuration's when absent. */
  token?: () => string
  /** How the service is reached; Node's own fetch when absent. */
  fetch?: typeof fetch | undefined
  /** How the receiver of notices is reached; Node's own fetch when absent. */
  noticeFetch?: typeof fetch | undefined
  /** What differs from the usual. */
  patience?: Partial<Patience>
}

/** Opens everything that the configuration names and listens. Throws with a sentence for people when something cannot be used. */
export async function startBellhop(config: Config, { log, onProgress, ...options }: StartOptions): Promise<Bellhop> {
  const patience = { ...usualPatience, ...options.patience }
  const operatorFiles = await readOperatorFiles(config.rulesFolder)
  const policy = { entries: await readPolicyFile(config.rulesFolder), defaults: { mode: config.mode, brake: config.brake } }
  const queue = await openQueue({
    url: config.queueUrl,
    log: (message, error) => log.warn({ event: 'queue', err: error }, message),
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  try {
    const journal = await openJournal(queue.store, { history: config.historyDays * 24 * 60 * 60 * 1_000, most: config.historyCount })
    const state = createServiceState({
      now: () => Date.now(),
      onChange: (condition) => {
        tellService(log, condition)
        void bot.heardOfService(condition)
      },
    })
    const service = config.serviceName || serviceName(config.serviceUrl)
    const operatorRules = operatorFiles.flatMap(({ rules: { file, rules } }) => rules.map(({ name }) => `${file}#${name}`))
    const metrics = createMetrics({ version, service, queue: queue.kind, operatorRules })
    const token = options.token ?? (() => config.serviceToken)
    const client = createClient({
      baseUrl: config.serviceUrl,
      token,
      fetch: options.fetch,
      log: (line) => {
        log.debug({ event: 'request', ...line }, 'request')
        state.heard(line)
        metrics.request(line)
      },
      onLimits: (limits) => {
        state.limits(limits)
        metrics.limits(limits)
      },
      heldUntil: state.heldUntil,
      maxWaitMs: patience.callMs,
    })
    const now = () => Date.now()
    const hooks = config.hooksUrl === '' ? undefined : hookPlace(config, policy.entries)
    const bot = createBot({
      service,
      client,
      token,
      queue,
      journal,
      state,
      secrets: { tokens: config.hookSecrets, signing: config.signingSecrets },
      masterKeys: config.hookMasterKeys,
      roomLimits: {
        backlog: config.maxBacklog,
        backlogBytes: config.maxBacklogSize * 2 ** 20,
        memoryPercent: config.maxQueueMemory,
        freeDisk: config.minFreeDisk * 2 ** 20,
      },
      operatorFiles,
      policy,
      concurrency: config.concurrency,
      offLabel: config.offLabel,
      bodyKeptMs: config.bodyHours * 60 * 60 * 1_000,
      sweep: { everyMs: config.sweepEveryMs, calls: config.sweepCalls },
      clock: { now },
      patience,
      counting: metrics,
      ...(config.tellUrl === ''
        ? {}
        : {
            postNotice: createPostNotice({ url: config.tellUrl, signing: config.tellSecrets, fetch: options.noticeFetch }),
            ...(hooks === undefined ? {} : { readDisabledHook: disabledHook({ client, place: hooks.place }) }),
          }),
      log,
    })
    const stopping = new AbortController()
    const tokens = allAdminTokens(config.adminToken, config.adminTokens)
    const door = createDoor(tokens, now)
    const conditions = () => ({ service: state.condition(), room: bot.room.condition(), rateLimit: state.rateLimit() })
    const desk = {
      ...{ ...bot, journal, service, now, conditions },
      rulesOf: bot.ruleFiles.known,
      hookHealth: hooks === undefined ? undefined : createHookHealth({ ...hooks, client, ruleFiles: bot.ruleFiles, now }),
    }
    const admin = { door, desk, log }
    const app = express().disable('x-powered-by').disable('etag')
    app.use(
      health({ queue, room: bot.room.condition, service: state.condition, scope: createTokenScope({ client, token, now }), log }),
      serveMetrics({ metrics, lanes: bot.lanes, service: state.condition, now, ...(config.metrics === 'token' ? { door } : {}) }),
      ...(config.only === 'worker' ? [] : [bot.routes]),
      adminApi(admin),
      adminPages({
        ...admin,
        sessions: createSessions(tokens, now),
        publicUrl: config.publicUrl,
        live: { ...usualLive, stopping: stopping.signal },
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
        operatorFiles: operatorFiles.map((file) => file.path),
      },
      `listening on ${url}`,
    )
    const stop = async () => {
      stopping.abort()
      const closed = closeServer(server, config.stopWithinMs)
      await bot.stop(config.stopWithinMs)
      await closed
      await queue.close()
      log.info({ event: 'stopped' }, 'stopped')
    }
    return { url, bot, queue, journal, stop }
  } catch (error) {
    await queue.close()
    throw error
  }
}

function hookPlace({ hooksUrl, hookMasterKeys, hookSecrets, signingSecrets }: Config, entries: readonly PolicyEntry[]) {
  const base = hooksUrl.replace(/\/+$/, '')
  const place = { base, masterKeys: hookMasterKeys, tokens: hookSecrets, signing: signingSecrets, signs: false, verifiesTls: true }
  return { place, includeFrom: entries.flatMap((entry) => entry.includeFrom ?? []) }
}

function tellService(log: Logger, { is, reason }: ServiceCondition): void {
  const line = { event: 'service', is, reason }
  if (is === 'fine') log.info(line, 'the service can be worked with again')
  else if (is === 'token rejected') log.error(line, 'the service rejects the token: nothing is done until it is mended')
  else log.warn(line, is === 'away' ? 'the service is away' : 'the service’s rate limit is used up')
}

/** A service's name in refs and lanes: its host, and its path where it has one; ':' is not allowed in a lane's name. */
export function serviceName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/api\/v4\/?$/, '').replace(/\/+$/, '')}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-')
}
