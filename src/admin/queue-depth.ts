// How many jobs each queue has in each state, and how old the oldest is.
import { QueueUnavailable } from '../queue/errors.ts'
import type { QueueName } from '../queue/queue-names.ts'
import type { AdminQueue } from './admin-context.ts'

const states = ['waiting', 'active', 'delayed', 'failed'] as const

export interface QueueDepth {
  queue: QueueName
  state: (typeof states)[number]
  count: number
  /** The age of the oldest job; absent if there is none. */
  ageMs?: number
}

/** The present depth. Undefined while the queue does not respond, so that the process's other metrics are served. */
export async function readDepth(
  queues: Record<QueueName, Pick<AdminQueue, 'counts' | 'oldest'>>,
  now: () => number,
): Promise<QueueDepth[] | undefined> {
  try {
    const found: QueueDepth[] = []
    for (const [name, queue] of Object.entries(queues)) {
      const [counts, oldest] = [await queue.counts(), await queue.oldest()]
      for (const state of states) {
        const added = oldest[state]
        found.push({
          queue: name as QueueName,
          state,
          count: counts[state],
          ageMs: added === undefined ? undefined : Math.max(0, now() - added),
        })
      }
    }
    return found
  } catch (error) {
    if (error instanceof QueueUnavailable) return undefined
    throw error
  }
}
