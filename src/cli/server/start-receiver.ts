// A process that only receives deliveries: it opens no journal, reads no rules and calls no service.
import { Router } from 'express'
import { createMetrics } from '../../admin/metrics/metrics.ts'
import { createBotQueues } from '../../bot/queues.ts'
import { createReceiver } from '../../bot/receiver.ts'
import type { Config } from '../settings/settings.ts'
import { version } from '../version.ts'
import { receiverSettings } from './create-service.ts'
import { openQueue, type QueueOptions, type Running, runServer } from './run-server.ts'

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
