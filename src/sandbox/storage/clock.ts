// When tasks of the future run; a test brings its own clock.

export interface SandboxClock {
  /** Milliseconds. */
  now(): number
  /** Runs the task once that time has come. */
  schedule(at: number, task: () => void): void
  /** Drops what is still to come. */
  close(): void
}

/** Node runs a longer timer at once. */
const longestTimer = 2 ** 31 - 1

export function createSystemClock(): SandboxClock {
  const timers = new Set<NodeJS.Timeout>()
  function schedule(at: number, task: () => void): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        // A timer may end early, and somebody may set the clock.
        if (Date.now() < at) schedule(at, task)
        else task()
      },
      Math.min(longestTimer, Math.max(0, at - Date.now())),
    )
    timers.add(timer)
  }
  return {
    now: Date.now,
    schedule,
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
