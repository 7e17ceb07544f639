// When tasks run: one at a time for each key, or in the background after an answer.

/** Runs one task at a time for each key, in the order of the calls. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>()
  return function runExclusive(key, task) {
    const before = tails.get(key) ?? Promise.resolve()
    const run = before.then(task, task)
    const release = () => void (tails.get(key) === run && tails.delete(key))
    run.then(release, release)
    tails.set(key, run)
    return run
  }
}

/** `report` gets each error that a task throws: no caller is left to get it. */
export function createBackground(report: (error: unknown) => void) {
  const running = new Set<Promise<void>>()
  let failures: unknown[] = []
  let closing = false

  async function run(after: Promise<void>, task: () => Promise<void>) {
    await after
    if (closing) return
    try {
      await task()
    } catch (error) {
      // While closing, git processes are ended under their tasks.
      if (closing) return
      failures.push(error)
      report(error)
    }
  }
  async function ended() {
    // A task may start another one.
    while (running.size > 0) await Promise.all(running)
  }
  return {
    /** Runs the task once `after` is settled. */
    start(after: Promise<void>, task: () => Promise<void>): void {
      const ran = run(after, task).finally(() => running.delete(ran))
      running.add(ran)
    },
    /** Resolves when nothing runs or waits; rejects with the errors since the last call. */
    async idle(): Promise<void> {
      await ended()
      const [first, ...others] = failures
      failures = []
      if (others.length > 0) throw new AggregateError([first, ...others], 'background work failed')
      if (first !== undefined) throw first
    },
    /** Drops the tasks that wait; resolves when those that run have ended. */
    async close(): Promise<void> {
      closing = true
      await ended()
    },
  }
}

/** A promise, and what resolves it. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

export interface SandboxClock {
  /** Milliseconds. */
  now(): number
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
