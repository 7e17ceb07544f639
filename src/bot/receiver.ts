// The part of the flow that takes deliveries: the webhook receiver, and how full its queue may be. It has no journal.
import type { Logger } from 'pino'
import type { BotOptions } from './bot-options.ts'
import type { BotQueues } from './queues.ts'
import { type CapacityCondition, createQueueCapacity } from './webhook/queue-capacity.ts'
import { receive } from './webhook/receive.ts'

export interface ReceiverOptions
  extends Pick<
    BotOptions,
    'backend' | 'secrets' | 'masterKeys' | 'addressOf' | 'capacityLimits' | 'now' | 'counting' | 'log'
  > {
  /** 0: no sweep follows refusals. */
  sweepEveryMs: number
}

export type Receiver = ReturnType<typeof createReceiver>

/** `routes`: `POST /hooks` and `POST /hooks/<project id>`; `capacity`, once started: if deliveries are accepted. */
export function createReceiver(options: ReceiverOptions, { deliveries, sweeps }: BotQueues) {
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

const lines = {
  available: { event: 'capacity_available', text: 'deliveries are accepted' },
  low: { event: 'capacity_low', text: 'a limit is near; deliveries are still accepted' },
  full: { event: 'capacity_exhausted', text: 'a limit is reached; deliveries are refused' },
  unreachable: { event: 'queue_unreachable', text: 'the queue does not answer; deliveries are refused until it does' },
} as const

/** Writes one line: information when `available`, else a warning with the reason. */
export function logCondition(log: Logger, { is, reason }: CapacityCondition): void {
  const { event, text } = lines[is]
  log[is === 'available' ? 'info' : 'warn']({ event, is, reason }, text)
}
