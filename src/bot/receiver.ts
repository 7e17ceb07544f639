// The part of the flow that takes deliveries: the webhook receiver, and how full its queue may be. It has no journal.
import type { Bot, BotOptions } from './bot-options.ts'
import type { BotQueues } from './queues.ts'
import { logCondition } from './webhook/log-condition.ts'
import { createQueueCapacity } from './webhook/queue-capacity.ts'
import { receive } from './webhook/receive.ts'

export interface ReceiverOptions
  extends Pick<
    BotOptions,
    'backend' | 'secrets' | 'masterKeys' | 'addressOf' | 'capacityLimits' | 'now' | 'counting' | 'log'
  > {
  /** 0: no sweep follows refusals. */
  sweepEveryMs: number
}

export type Receiver = Pick<Bot, 'routes' | 'capacity'>

export function createReceiver(options: ReceiverOptions, { deliveries, sweeps }: BotQueues): Receiver {
  const { backend, secrets, masterKeys, addressOf, now, counting, log } = options
  const capacity = createQueueCapacity({
    backend,
    deliveries,
    limits: options.capacityLimits,
    now,
    onChange: (condition) => logCondition(log, condition),
    onRecovered(since) {
      log.warn({ event: 'deliveries_refused', since }, 'deliveries are accepted again; some were refused')
      if (options.sweepEveryMs === 0) return
      sweeps.add({ data: { is: 'refused', until: now() } }).catch(logSweepNotQueued(log))
    },
  })
  return { routes: receive({ deliveries, secrets, masterKeys, addressOf, capacity, counting, now, log }), capacity }
}

export const logSweepNotQueued = (log: BotOptions['log']) => (err: unknown) =>
  log.error({ event: 'sweep_not_enqueued', err }, 'the queue did not accept a sweep')
