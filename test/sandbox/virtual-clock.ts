// A clock that stands still until a test moves it.
import type { SandboxClock } from '../../src/sandbox/storage/schedule.ts'

export interface VirtualClock extends SandboxClock {
  /** Runs what is due by then, in order. */
  advance(milliseconds: number): void
}

export function createVirtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let present = start
  let tasks: { at: number; task: () => void }[] = []
  return {
    now: () => present,
    schedule: (at, task) => void tasks.push({ at, task }),
    close: () => {
      tasks = []
    },
    advance(milliseconds) {
      present += milliseconds
      const due = tasks.filter(({ at }) => at <= present).sort((one, other) => one.at - other.at)
      tasks = tasks.filter(({ at }) => at > present)
      for (const { task } of due) task()
    },
  }
}
