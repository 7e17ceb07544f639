// Logs each new condition of the delivery queue.
import type { Logger } from 'pino'
import type { CapacityCondition } from './queue-capacity.ts'

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
