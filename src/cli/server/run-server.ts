// What every process of Bellhop does: opens its queue, listens, and stops in order.
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Express } from 'express'
import type { Logger } from 'pino'
import { openQueues } from '../../queue/open-queue.ts'
import type { Queues } from '../../queue/types.ts'
import type { Config } from '../settings/settings.ts'
import { closeServer, httpServer, listen } from './http-server.ts'

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
export function openQueue({ queueUrl }: Config, { log, ...options }: QueueOptions): Promise<Queues> {
  return openQueues({
    url: queueUrl,
    ...options,
    log: (message, error) => log.warn({ event: 'queue', err: error }, message),
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
   * Fails /readyz, stops accepting after the delay for receivers, finishes or releases running jobs within the limit, and
   * closes queue, journal and server.
   */
  stop(): Promise<void>
}

/** Listens, and starts the work. */
export async function runServer(given: {
  config: Config
  app: Express
  /** Aborted before anything stops. */
  stopping: AbortController
  start(): void
  /** Resolves when no work runs. */
  stop(): Promise<void>
  close(): Promise<void>
  /** For the log. */
  about: object
  log: Logger
}): Promise<Running> {
  const { config, stopping, log } = given
  const { host, only } = config
  const server = await listen(httpServer(given.app), config.port, host)
  given.start()
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  log.info({ event: 'listening', url, only, service: config.serviceUrl, ...given.about }, `listening on ${url}`)
  /** Who sends deliveries learns from /readyz that others take them; a worker takes none. */
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
      await given.close()
      log.info({ event: 'stopped' }, 'stopped')
    },
  }
}
