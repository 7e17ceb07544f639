// Health for orchestrators: /healthz says that the process answers, /readyz that it can take and do work.
import { Router } from 'express'
import type { Logger } from 'pino'
import type { Queue } from '../queue/types.ts'

/** The routes /healthz (always 200 while the process lives) and /readyz (503 with the failed check's name when the queue is away). */
export function health({ queue, log }: { queue: Pick<Queue, 'ping' | 'kind'>; log: Logger }): Router {
  const router = Router()
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    try {
      await queue.ping()
      response.json({ status: 'ready', queue: queue.kind })
    } catch (error) {
      log.warn({ event: 'not ready', err: error }, 'not ready: the queue does not answer')
      response.status(503).json({ status: 'not ready', failed: ['queue'] })
    }
  })
  return router
}
