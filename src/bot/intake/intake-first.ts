// Lets intake go before evaluations: while deliveries are read one after another, evaluations wait, so that one covers
// all that a burst brings.
import type { JobHandler } from '../../queue/types.ts'

/** Deliveries that keep coming must not stop evaluations. */
const LONGEST_WAIT_MS = 5_000
/** A reading that waits for the service for so long holds up no evaluation. */
const STUCK_AFTER_MS = 500

/** Wraps the handlers of the delivery queue and of the merge-request queue of one process. */
export function createIntakeFirst() {
  let reading = 0
  let lastReadAt = 0
  const waiting = new Set<() => void>()

  /** One delivery is no burst. */
  const isBurst = () => reading > 1 && Date.now() - lastReadAt < STUCK_AFTER_MS

  function untilNoneIsRead(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(goOn, STUCK_AFTER_MS)
      function goOn(): void {
        clearTimeout(timer)
        waiting.delete(goOn)
        resolve()
      }
      waiting.add(goOn)
    })
  }

  return {
    intake<T>(handler: JobHandler<T>): JobHandler<T> {
      return async (job) => {
        reading += 1
        try {
          return await handler(job)
        } finally {
          reading -= 1
          lastReadAt = Date.now()
          if (reading === 0) for (const goOn of [...waiting]) goOn()
        }
      }
    },
    evaluation<T>(handler: JobHandler<T>): JobHandler<T> {
      return async (job) => {
        const until = Date.now() + LONGEST_WAIT_MS
        while (isBurst() && Date.now() < until) await untilNoneIsRead()
        return handler(job)
      }
    },
  }
}
