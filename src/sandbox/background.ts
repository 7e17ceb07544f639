// Work that goes on after an answer, such as a fork or a mirror: begun in turn, waited for by `idle`, given up at the end.

export interface Background {
  /** Runs the task once `after` is settled. */
  start(after: Promise<void>, task: () => Promise<void>): void
  /** Resolves when nothing runs or waits; rejects with what went wrong since the last time and no task took care of. */
  idle(): Promise<void>
  /** Gives up what has not begun; resolves when what runs has ended. */
  close(): Promise<void>
}

/** `report` hears of each error that a task did not take care of itself: no caller is left who could be told. */
export function createBackground(report: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>()
  let failures: unknown[] = []
  let closing = false

  async function run(after: Promise<void>, task: () => Promise<void>): Promise<void> {
    await after
    if (closing) return
    try {
      await task()
    } catch (error) {
      // Its git processes were ended under it.
      if (closing) return
      failures.push(error)
      report(error)
    }
  }
  async function ended(): Promise<void> {
    // A task may start another one.
    while (running.size > 0) await Promise.all(running)
  }

  return {
    start(after, task) {
      const ran = run(after, task).finally(() => running.delete(ran))
      running.add(ran)
    },
    async idle() {
      await ended()
      const [first, ...others] = failures
      failures = []
      if (others.length > 0) throw new AggregateError([first, ...others], 'background work failed')
      if (first !== undefined) throw first
    },
    async close() {
      closing = true
      await ended()
    },
  }
}
