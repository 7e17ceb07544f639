// What every process of Bellhop does: opens its queue, serves deliveries, health and metrics, and stops in order. Also
// the process that only receives deliveries: it opens no journal, reads no rules and calls no service.
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Logger } from 'pino'
import {
  type AdminToken,
  type Authenticator,
  allAdminTokens,
  createAuthenticator,
} from '../../admin/access/authenticate.ts'
import { type HealthOptions, health } from '../../admin/health.ts'
import { createMetrics } from '../../admin/metrics/metrics.ts'
import { type ServeMetricsOptions, serveMetrics } from '../../admin/metrics/serve-metrics.ts'
import { createBotQueues } from '../../bot/queues.ts'
import { createReceiver, type Receiver } from '../../bot/receiver.ts'
import { openQueues } from '../../queue/open-queue.ts'
import type { Queues } from '../../queue/types.ts'
import type { Config } from '../settings/settings.ts'
import { version } from '../version.ts'
import { receiverSettings } from './create-service.ts'
import { answerErrors, clientAddress, closeServer, httpServer, listen } from './http-server.ts'
import { botPage } from './start-page.ts'

export interface QueueOptions {
  log: Logger
  /** Called with a sentence when something takes long. */
  onProgress?: (sentence: string) => void
  /** Whether jobs are spans of traces (start-tracing.ts). */
  isTraced?: boolean
  /** Milliseconds until another process takes over a dead one's jobs. */
  lockMs?: number
}

/** Throws Errors with messages for users. */
export function openQueue({ queueUrl: url }: Config, { log, ...options }: QueueOptions): Promise<Queues> {
  return openQueues({
    ...{ url, ...options, log: (message, error) => log.warn({ event: 'queue', err: error }, message) },
    onReplicas: (online) =>
      online
        ? log.info({ event: 'redis_replicas_online' }, 'a replica of Redis confirms deliveries')
        : log.warn({ event: 'redis_replicas_gone' }, 'no replica of Redis is online: a failover may lose deliveries'),
  })
}

export interface Running {
  /** `http://127.0.0.1:N`. */
  url: string
  /**
   * Fails /readyz, stops accepting after the delay for receivers, finishes or releases running jobs within the limit,
   * and closes queue, journal and server.
   */
  stop(): Promise<void>
}

interface ServerOptions {
  config: Config
  queue: Queues
  receiver: Receiver
  health?: Pick<HealthOptions, 'journal' | 'service' | 'scope'>
  metrics: Pick<ServeMetricsOptions, 'metrics' | 'queues' | 'totals'>
  /** The routes under /admin. */
  admin(given: { authenticator: Authenticator; tokens: readonly AdminToken[] }): RequestHandler[]
  start(): void
  /** Resolves when no work runs. */
  stop(): Promise<void>
  /** Called before the queue is closed. */
  close(): Promise<void>
  operatorFiles?: readonly string[]
  log: Logger
}

/** Listens, and starts the work. */
export async function runServer({ config, queue, receiver, log, ...given }: ServerOptions): Promise<Running> {
  const { host, only } = config
  const stopping = new AbortController()
  const tokens = allAdminTokens(config.adminToken, config.adminTokens)
  const authenticator = createAuthenticator(tokens, () => performance.now(), clientAddress(config.trustedProxies))
  const app = express().disable('x-powered-by').disable('etag')
  app.get('/', botPage)
  // For editors, which send no token. Loaded then: a receiver needs no rules.
  app.get('/schema.json', async (_request, response) => {
    const { ruleFileSchema } = await import('../../rules/language/schema/rule-file.ts')
    response.json(ruleFileSchema())
  })
  app.use(
    health({
      ...{ queue, ...given.health, capacity: receiver.capacity.condition, log },
      isStopping: () => stopping.signal.aborted,
    }),
    serveMetrics({
      ...{ ...given.metrics, queue: queue.store },
      ...(config.metrics === 'token' ? { authenticator } : {}),
    }),
    ...given.admin({ authenticator, tokens }),
    answerErrors(log),
  )
  // In front of the application, which gives each request another prototype: that takes longer than the whole route.
  const hooks = Router()
  if (only !== 'worker') hooks.use('/hooks', receiver.routes, answerErrors(log))
  const handler: RequestListener = (request, response) =>
    hooks(request as Request, response as Response, () => app(request, response))
  const server = await listen(httpServer(handler), config.port, host)
  given.start()
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  const { operatorFiles } = given
  log.info(
    { event: 'listening', url, only, queue: queue.kind, service: config.serviceUrl, operatorFiles },
    `listening on ${url}`,
  )
  /** First, senders of deliveries learn from /readyz to use other processes; a worker gets no deliveries. */
  const closeAfterDelay = async () => {
    if (only !== 'worker') await delay(config.shutdownDelayMs)
    await closeServer(server, config.shutdownTimeoutMs)
  }
  return {
    url,
    async stop() {
      stopping.abort()
      const closed = closeAfterDelay()
      await given.stop()
      await closed
      await queue.close()
      await given.close()
      log.info({ event: 'stopped' }, 'stopped')
    },
  }
}

const elsewhere =
  'This process only receives deliveries. The dashboard and the admin API are where the journal is: at a worker, or at a process without --only.'
const noAdmin = Router()
  .use('/admin/api', (_request, response) => void response.status(404).json({ error: elsewhere }))
  .use('/admin', (_request, response) => void response.status(404).type('text').send(`${elsewhere}\n`))

/** Opens the queue, and listens. Throws Errors with messages for users. */
export async function startReceiver(config: Config, options: QueueOptions): Promise<Running> {
  const { log } = options
  const queue = await openQueue(config, options)
  try {
    const metrics = createMetrics({ version, queue: queue.kind, operatorRules: [] })
    const queues = createBotQueues(queue, Date.now)
    const given = { backend: queue, now: Date.now, counting: metrics, log }
    const receiver = createReceiver({ ...receiverSettings(config), ...given }, queues)
    return await runServer({
      ...{ config, queue, receiver, metrics: { metrics, queues }, log },
      ...{ start: receiver.capacity.start, stop: receiver.capacity.stop, close: async () => undefined },
      admin: () => [noAdmin],
    })
  } catch (error) {
    await queue.close()
    throw error
  }
}
