// Whether a job still belongs to this run: a process that was frozen may have lost it to another worker.
import { asError, JobTakenOver, QueueUnavailable } from '../errors.ts'

/** Throws JobTakenOver if the job no longer belongs to this run; returns true if it had to ask the backend. */
export type Claim = () => Promise<boolean>

export interface ClaimOptions {
  /** The job's id, for messages. */
  job: string
  /** Extends the lock; false if the job no longer belongs to this run. */
  renew: () => Promise<boolean>
  lockMs: number
  /**
   * Several clocks, in milliseconds: the monotonic one stands still while a machine sleeps, the other may be set by
   * hand.
   */
  clocks?: () => readonly number[]
}

/**
 * The claim asks the backend only if its last answer is older than half of the lock. It throws QueueUnavailable if
 * there is no answer.
 */
export function createClaim({ job, renew, lockMs, clocks = bothClocks }: ClaimOptions): Claim {
  let askedAt: readonly number[] | undefined
  let isLost = false

  function isFresh(): boolean {
    const from = askedAt
    if (from === undefined) return false
    return clocks().every((now, at) => now >= (from[at] ?? now) && now - (from[at] ?? now) < lockMs / 2)
  }

  async function ask(): Promise<boolean> {
    try {
      return await renew()
    } catch (thrown) {
      const cause = asError(thrown)
      throw new QueueUnavailable(`The lock of job ${job} could not be extended: ${cause.message}`, { cause })
    }
  }

  return async () => {
    let asked = false
    // Checked again after the answer: the process may have been frozen while it waited for it.
    while (!isFresh() || isLost) {
      const before = clocks()
      asked = true
      isLost ||= !(await ask())
      if (isLost) throw new JobTakenOver(job)
      askedAt = before
    }
    return asked
  }
}

const bothClocks = () => [Date.now(), performance.now()]
