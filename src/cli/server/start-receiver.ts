// A process that only receives deliveries: it opens no journal, reads no rules and calls no service.
import express, { Router } from 'express'
import { createAuthenticator } from '../../admin/access/authenticate.ts'
import { allAdminTokens } from '../../admin/access/tokens.ts'
import { health } from '../../admin/health.ts'
import { createMetrics } from '../../admin/metrics/metrics.ts'
import { serveMetrics } from '../../admin/metrics/serve-metrics.ts'
import { createBotQueues } from '../../bot/queues.ts'
import { createReceiver } from '../../bot/receiver.ts'
import type { Config } from '../settings/settings.ts'
import { version } from '../version.ts'
import { clientAddress } from './client-address.ts'
import { receiverSettings } from './create-service.ts'
import { answerErrors } from './http-errors.ts'
import { openQueue, type QueueOptions, type Running, runServer } from './run-server.ts'
import { receiverPage } from './start-page.ts'

const elsewhere =
  'This process only receives deliveries. The dashboard and the admin API are where the journal is: at a worker, or at a process without --only.'

/** Opens the queue, and listens. Throws Errors with messages for users. */
export async function startReceiver(config: Config, options: QueueOptions): Promise<Running> {
  const { log } = options
  const queue = await openQueue(config, options)
  try {
    const now = () => Date.now()
    const metrics = createMetrics({ version, queue: queue.kind, operatorRules: [] })
    const queues = createBotQueues(queue, now)
    const { routes, capacity } = createReceiver(
      { ...receiverSettings(config), backend: queue, clock: { now }, counting: metrics, log },
      queues,
    )
    const stopping = new AbortController()
    const tokens = allAdminTokens(config.adminToken, config.adminTokens)
    const authenticator = createAuthenticator(tokens, () => performance.now(), clientAddress(config.trustedProxies))
    const app = express().disable('x-powered-by').disable('etag')
    app.use('/hooks', routes)
    app.get('/', receiverPage)
    app.use(
      health({ queue, capacity: capacity.condition, isStopping: () => stopping.signal.aborted, log }),
      serveMetrics({
        ...{ metrics, queue: queue.store, queues, now },
        ...(config.metrics === 'token' ? { authenticator } : {}),
      }),
      Router()
        .use('/admin/api', (_request, response) => void response.status(404).json({ error: elsewhere }))
        .use('/admin', (_request, response) => void response.status(404).type('text').send(`${elsewhere}\n`)),
      answerErrors(log),
    )
    return await runServer({
      ...{ config, app, stopping, log, about: { queue: queue.kind } },
      start: capacity.start,
      stop: capacity.stop,
      close: queue.close,
    })
  } catch (error) {
    await queue.close()
    throw error
  }
}
