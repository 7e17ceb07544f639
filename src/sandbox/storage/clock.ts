// When tasks of the future run; a test brings its own clock.

export interface SandboxClock {
  /** Milliseconds. */
  now(): number
  /** Runs the task once that time has come. */
  schedule(at: number, task: () => void): void
  /** Drops what is still to come. */
  close(): void
}

export function createSystemClock(): SandboxClock {
  const timers = new Set<NodeJS.Timeout>()
  return {
    now: Date.now,
    schedule(at, task) {
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          task()
        },
        Math.max(0, at - Date.now()),
      )
      timers.add(timer)
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
