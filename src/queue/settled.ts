// Waits for several queues whose jobs add jobs to each other.
import type { JobQueue } from './types.ts'

/**
 * Resolves when all queues are settled, also after what their jobs added to each other. Throws QueueNotSettled at `until`
 * (milliseconds since the epoch), else as `settled`.
 */
export async function allSettled(queues: readonly Pick<JobQueue<never>, 'settled'>[], until?: number): Promise<void> {
  let before: number | undefined
  for (;;) {
    let runs = 0
    for (const queue of queues)
      runs += await queue.settled(until === undefined ? {} : { timeoutMs: Math.max(0, until - Date.now()) })
    if (runs === before) return
    before = runs
  }
}
