// Whether a job is still this run's: a process that was frozen for longer than its lock goes on, while another has taken its job up.
import { asError, JobTakenOver, QueueUnavailable } from './errors.ts'

/** Throws JobTakenOver when the job is not this run's any more; true when the store had to be asked. */
export type Claim = () => Promise<boolean>

export interface ClaimOptions {
  /** For messages. */
  job: string
  /** Begins the lock anew; false when it is not this run's any more. */
  renew: () => Promise<boolean>
  lockMs: number
  /** Milliseconds by several clocks: none sees every gap (the steady one stands still while a machine sleeps, the other is set by hand). */
  clocks?: () => readonly number[]
}

/**
 * Gives what makes sure of it: asks the store only where the last answer is older than half of the lock, and says whether it did.
 * Throws JobTakenOver, and QueueUnavailable where the store does not answer.
 */
export function createClaim({ job, renew, lockMs, clocks = bothClocks }: ClaimOptions): Claim {
  let askedAt: readonly number[] | undefined
  let isLost = false
  const isFresh = () => {
    const from = askedAt
    return from !== undefined && clocks().every((now, at) => now >= (from[at] ?? now) && now - (from[at] ?? now) < lockMs / 2)
  }
  async function ask(): Promise<boolean> {
    try {
      return await renew()
    } catch (thrown) {
      const cause = asError(thrown)
      throw new QueueUnavailable(`The queue could not say whose job ${job} is: ${cause.message}`, { cause })
    }
  }
  return async () => {
    let asked = false
    // Again after the answer: the process may have been frozen while it was on its way.
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
