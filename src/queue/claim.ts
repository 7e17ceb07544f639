// Whether a job is still this run's: a process that was frozen for longer than its lock goes on, while another has taken its job up.
import { JobTakenOver } from './errors.ts'

export interface ClaimOptions {
  /** For messages. */
  job: string
  /** Begins the lock anew; false when it is not this run's any more. */
  renew: () => Promise<boolean>
  lockMs: number
  /** Milliseconds by several clocks: none sees every gap (the steady one stands still while a machine sleeps, the other is set by hand). */
  clocks?: () => readonly number[]
}

/** Gives what makes sure of it: asks the store only where the last answer is older than half of the lock. Throws JobTakenOver, and what the store throws. */
export function createClaim({ job, renew, lockMs, clocks = bothClocks }: ClaimOptions): () => Promise<void> {
  let askedAt: readonly number[] | undefined
  let isLost = false
  const isFresh = () => {
    const from = askedAt
    return from !== undefined && clocks().every((now, at) => now >= (from[at] ?? now) && now - (from[at] ?? now) < lockMs / 2)
  }
  return async () => {
    // Again after the answer: the process may have been frozen while it was on its way.
    while (!isFresh() || isLost) {
      const before = clocks()
      isLost ||= !(await renew())
      if (isLost) throw new JobTakenOver(job)
      askedAt = before
    }
  }
}

const bothClocks = () => [Date.now(), performance.now()]
